#!/bin/sh
# A bot in a page of shell: it faces its opponent, fires when it can, and hides while it cannot and is looked at.
# batllm-arcade run --left proc:examples/bots/marksman.sh ...

# The last "key":VALUE of the message: the texts of players come before the figures.
figure() { printf '%s\n' "$line" | sed -n "s/.*\"$1\":\"\{0,1\}\([-a-z0-9.]*\).*/\1/p"; }
state() { printf '%s\n' "$line" | sed -n "s/.*\"current_state\":{.*\"$1\":{[^}]*\"$2\":\([0-9]*\).*/\1/p"; }

while IFS= read -r line; do
  case $line in
  '{"type":"hello"'*) echo '{"type":"ready","name":"marksman"}' ;;
  '{"type":"quit"'*) exit 0 ;;
  '{"type":"decide"'*)
    id=${line#*\"id\":} id=${id%%,*}
    bearing=$(figure bearing) ready=$(figure ready) looks=$(figure part)
    mine=$(state self shield) theirs=$(state opp shield) charge=$(state self charge)
    case $bearing in *e*) bearing=0 ;; -*) turn=A${bearing#-} ;; *) turn=C$bearing ;; esac
    size=${bearing#-} size=${size%%.*}
    menaced=0; [ "$looks" = front ] && [ "$theirs" = 0 ] && menaced=1
    if [ "$size" -gt 4 ]; then command="\"$turn\""
    elif [ "$mine" = 1 ]; then
      command='"S0"'; [ "$menaced$ready" = 10 ] && [ "${charge:-9}" -gt 1 ] && command=null
    elif [ "${ready:-1}" = 1 ] && { [ "$theirs" = 0 ] || [ -z "$ready" ]; }; then command='"B"'
    elif [ "$menaced" = 1 ] && [ "${charge:-9}" -gt 2 ]; then command='"S1"'
    else command='"M"'; fi
    printf '{"type":"play","id":%s,"command":%s,"thought":"%s off"}\n' "$id" "$command" "$bearing"
    ;;
  esac
done

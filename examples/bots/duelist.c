/* The duelist in C: cc -O2 -o duelist duelist.c -lm && batllm-arcade run --left proc:./duelist ... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y, rot, charge; int shield; } Bot;
static double width, height, radius, step, shield_degrees, shot; /* shot: 0 without a battery */

/* The number behind "key": after a place in the message; what is asked for stands there, one level deep. */
static double number(const char *place, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *found = place ? strstr(place, quoted) : NULL;
  return found ? strtod(found + strlen(quoted), NULL) : 0;
}
static Bot bot(const char *place) {
  Bot b = {number(place, "x"), number(place, "y"), number(place, "rot"), number(place, "charge"), (int)number(place, "shield")};
  return b;
}
static double degrees(double angle) { return angle * (180 / M_PI); }
static double wrapped(double angle) { return fmod(angle + 900, 360) - 180; }
static double bearing(Bot a, Bot b) { return wrapped(degrees(atan2(b.y - a.y, b.x - a.x)) - a.rot); }
static double distance(Bot a, Bot b) { return hypot(b.x - a.x, b.y - a.y); }
static int aims(Bot a, Bot b) { return fabs(bearing(a, b)) <= degrees(asin(radius / fmax(distance(a, b), radius))); }
static int shielded(Bot a, Bot b) { return a.shield && fabs(bearing(a, b)) <= shield_degrees; }
static int loaded(Bot a) { return a.charge >= shot; }
static int walks(Bot a, Bot b) {
  double angle = a.rot * (M_PI / 180), x = a.x + cos(angle) * step / 2, y = a.y + sin(angle) * step / 2;
  int inside = radius <= x && x <= width - radius && radius <= y && y <= height - radius;
  return inside && !(distance(a, b) < 2.1 * radius && fabs(bearing(a, b)) < 90);
}
static const char *turn(double angle) {
  static char token[32];
  angle = wrapped(angle);
  snprintf(token, sizeof token, "%c%.1f", angle >= 0 ? 'C' : 'A', floor(fabs(angle) * 10 + 0.5) / 10);
  return token;
}

static const char *decide(Bot me, Bot foe) {
  double off = bearing(me, foe), charge = shot > 0 ? me.charge : 99;
  int menaced = !foe.shield && loaded(foe) && aims(foe, me);
  if (fabs(off) > 5 || !aims(me, foe)) return turn(off);
  if (me.shield) return menaced && charge >= 2 && !loaded(me) ? NULL : "S0";
  if (loaded(me) && !shielded(foe, me)) return "B";
  if (menaced && charge >= 3) return "S1";
  if (walks(me, foe)) return "M";
  return shot > 0 ? NULL : "B";
}

int main(void) {
  static char line[70000];
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "{\"type\":\"hello\"", 15) == 0) printf("{\"type\":\"ready\",\"name\":\"duelist\"}\n");
    if (strncmp(line, "{\"type\":\"quit\"", 14) == 0) return 0;
    if (strncmp(line, "{\"type\":\"decide\"", 16) == 0) {
      /* `const`, `current_state` and `sensors` come after the texts of players, so their last ones are the ones. */
      const char *figures = line, *state = line, *next;
      while ((next = strstr(figures + 1, "\"const\":{"))) figures = next;
      while ((next = strstr(state + 1, "\"current_state\":{"))) state = next;
      width = number(figures, "arena_width"), height = number(figures, "arena_height");
      radius = number(figures, "bot_radius"), step = number(figures, "step_length");
      shield_degrees = number(figures, "shield_degrees");
      shot = strstr(figures, "\"battery\":{") ? number(strstr(figures, "\"battery\":{"), "shot") : 0;
      Bot me = bot(strstr(state, "\"self\":{")), foe = bot(strstr(state, "\"opp\":{"));
      const char *command = decide(me, foe), *quote = command ? "\"" : "";
      printf("{\"type\":\"play\",\"id\":%d,\"command\":%s%s%s}\n", (int)number(line, "id"), quote,
             command ? command : "null", quote);
    }
    fflush(stdout);
  }
  return 0;
}

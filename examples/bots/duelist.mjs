// The duelist in JavaScript, with helpers/arena.mjs: batllm-arcade run --left proc:examples/bots/duelist.mjs ...
import { play, turnToken } from "./helpers/arena.mjs";

play("duelist", (me, foe) => {
  const off = me.bearingTo(foe), menaced = foe.menaces(me), battery = me.rules.battery > 0;
  const charge = battery ? me.charge : 99;
  if (Math.abs(off) > 5 || !me.aimsAt(foe)) return { command: turnToken(off, 1), thought: "facing it" };
  if (me.shield) {
    const waits = menaced && charge >= 2 && !me.loaded;
    return waits ? { command: null, thought: "staying behind the shield" } : { command: "S0", thought: "lowering the shield" };
  }
  if (me.loaded && !foe.isShieldedFrom(me)) return { command: "B", thought: "fire" };
  if (menaced && charge >= 3) return { command: "S1", thought: "it could fire: shield up" };
  if (me.canStep(foe)) return { command: "M", thought: "closing in, which loads the gun" };
  return battery ? { command: null, thought: "resting to load" } : { command: "B", thought: "hammering its shield" };
});

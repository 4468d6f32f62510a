/**
 * Loaded into a service before anything else: its system clock is off by as many milliseconds as the file named by
 * CLOCK_OFFSET_FILE says, from one moment to the next. Timers and `performance.now` go on as before, as they do when a
 * machine's clock is set.
 */
import { readFileSync } from "node:fs";

const file = process.env.CLOCK_OFFSET_FILE ?? "";
let offsetMs = 0;
const read = () => {
  try {
    offsetMs = Number(readFileSync(file, "utf8"));
  } catch {
    // Not written yet.
  }
};

if (file !== "") {
  read();
  setInterval(read, 20).unref();
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [RealDate.now() + offsetMs] : args, newTarget),
    apply: () => new RealDate(RealDate.now() + offsetMs).toString(),
    get: (target, name) => (name === "now" ? () => RealDate.now() + offsetMs : Reflect.get(target, name)),
  });
}

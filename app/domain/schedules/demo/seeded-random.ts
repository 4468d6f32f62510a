/** Pseudo-random numbers: the same key gives the same numbers on every machine. Not for secrets. */
import { hashOf } from "../../catalogue/text-hash.ts";

/** A stream of numbers in [0, 1), seeded by a text (mulberry32). */
export const seededRandom = (key: string): (() => number) => {
  let state = hashOf(key);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state);
  };
};

/** One number in [0, 1) for a key and an index. Neighbouring indexes give unrelated numbers. */
export const noiseAt = (key: number, index: number): number => mixed((key ^ Math.imul(index + 1, 0x9e3779b1)) | 0);

const mixed = (seed: number): number => {
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

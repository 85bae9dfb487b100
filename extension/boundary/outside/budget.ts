/** How much one check may cost. A schema from outside can make a small value as expensive as it likes: two references a level are 2^64 checks at 64 levels. */
export interface Budget {
  refill(units: number): void;
  /** Throws CheckTooCostly when nothing is left. */
  spend(units: number): void;
}

/** Thrown out of a check, and never to its caller. */
export class CheckTooCostly extends Error {}

/** A unit is about the time of one small comparison; all of them are half a second or so. */
export const unitsOfCheck = 10_000_000;
/** Listing every fault keeps each of them, and copies them at each reference. */
export const unitsOfListing = 50_000;

export function createBudget(): Budget {
  let left = 0;
  return {
    refill(units) {
      left = units;
    },
    spend(units) {
      left -= units;
      if (left < 0) throw new CheckTooCostly('checking it takes too long');
    },
  };
}

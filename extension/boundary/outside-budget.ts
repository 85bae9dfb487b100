/** How much one check may cost. A schema from outside can make a small value as expensive as it likes: two references a level are 2^64 checks at 64 levels. */
export interface Budget {
  refill(): void;
  /** Throws CheckTooCostly when nothing is left. */
  spend(units: number): void;
}

/** Thrown out of a check, and never to its caller. */
export class CheckTooCostly extends Error {}

/** A unit is about the time of one small comparison; all of them are about a second. */
export const unitsOfCheck = 20_000_000;

export function createBudget(): Budget {
  let left = unitsOfCheck;
  return {
    refill() {
      left = unitsOfCheck;
    },
    spend(units) {
      left -= units;
      if (left < 0) throw new CheckTooCostly('checking it takes too long');
    },
  };
}

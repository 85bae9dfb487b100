/** Arguments of `edit_file`. */
export interface EditArguments {
  readonly path: string;
  readonly edits: readonly { readonly oldText: string; readonly newText: string }[];
}

const weekConstant = 'var w = d * 7;\n';
const weekCases = "    case 'weeks':\n";

/** Teaches the sample to parse months: three places in one file. */
export const months: EditArguments = {
  path: 'index.js',
  edits: [
    { oldText: weekConstant, newText: `${weekConstant}var mo = d * 30.4375;\n` },
    { oldText: 'weeks?|w|years?', newText: 'weeks?|w|months?|mo|years?' },
    { oldText: weekCases, newText: `    case 'months':\n    case 'month':\n    case 'mo':\n      return n * mo;\n${weekCases}` },
  ],
};

/** The same without the abbreviation, for someone who denied the first. */
export const monthsInFull: EditArguments = {
  path: 'index.js',
  edits: [
    { oldText: 'weeks?|w|years?', newText: 'weeks?|w|months?|years?' },
    { oldText: weekCases, newText: `    case 'months':\n    case 'month':\n      return n * (y / 12);\n${weekCases}` },
  ],
};

/** A change to what `npm test` runs: a protected place. */
export const testScript: EditArguments = {
  path: 'package.json',
  edits: [{ oldText: '"test": "mocha tests.js"', newText: '"test": "mocha --check-leaks tests.js"' }],
};

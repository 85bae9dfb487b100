import type { ListedLine } from './listed-lines.ts';
import type { NumberedTest } from './numbered-tests.ts';

export type Standing = 'pass' | 'fail' | 'MISSING' | 'NO TEST' | 'due later';

export interface Row {
  readonly line: ListedLine;
  readonly tests: readonly NumberedTest[];
  readonly standing: Standing;
}

/** What each line of the list comes to, by the tests that name it. */
export function rowsOf(lines: readonly ListedLine[], tests: readonly NumberedTest[]): readonly Row[] {
  return lines.map((line) => {
    const own = tests.filter(({ numbers }) => numbers.includes(line.number));
    return { line, tests: own, standing: standingOf(line, own) };
  });
}

/** A failing test is a failure also of a line that could wait. A test that was skipped has shown nothing. */
function standingOf({ dueIn }: ListedLine, tests: readonly NumberedTest[]): Standing {
  if (tests.some(({ end }) => end.as === 'failed')) return 'fail';
  if (dueIn !== null) return 'due later';
  if (tests.some(({ end }) => end.as === 'missing')) return 'MISSING';
  return tests.some(({ end }) => end.as === 'passed') ? 'pass' : 'NO TEST';
}

export function isWell({ standing }: Row): boolean {
  return standing === 'pass' || standing === 'due later';
}

/** Numbers that tests name and the list does not have: a slip, which would otherwise show nothing. */
export function unlisted(lines: readonly ListedLine[], tests: readonly NumberedTest[]): readonly string[] {
  const known = new Set(lines.map(({ number }) => number));
  return tests.flatMap(({ numbers, name, file }) => numbers.filter((number) => !known.has(number)).map((number) => `${number} is not in the list: ${file} › ${name}`));
}

/** The row, and under it what failed or is missing. */
export function rowText({ line, tests, standing }: Row): string {
  const text = standing === 'due later' ? `due in: ${line.dueIn}` : standing;
  const head = `${line.number.padEnd(4)} ${shortened(line.behaviour, 92).padEnd(93)} ${String(tests.length).padStart(4)}  ${text}`;
  return [head, ...tests.flatMap(faultOf)].join('\n');
}

function faultOf({ name, file, end }: NumberedTest): readonly string[] {
  switch (end.as) {
    case 'failed': return [`       ✖ ${file} › ${name}\n${end.error.split('\n').slice(0, 12).join('\n').replace(/^/gm, '         ')}`];
    case 'missing': return [`       – missing: ${end.what} (${file})`];
    case 'passed':
    case 'skipped': return [];
  }
}

function shortened(text: string, length: number): string {
  const letters = Array.from(text.replaceAll('`', ''));
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length - 1).join('').trimEnd()}…`;
}

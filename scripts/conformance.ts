import { buildAll } from './build.ts';
import { listedLines } from './conformance/listed-lines.ts';
import { runNumberedTests } from './conformance/numbered-tests.ts';
import { isWell, rowsOf, rowText, unlisted } from './conformance/table.ts';
import { endOnSignal } from './end-on-signal.ts';

/**
 * `npm run conformance [-- --json] [-- --as-built] [-- PART-OF-A-PATH …]`: the lines of docs/conformance.md, each with the tests
 * that show it. With parts of paths, only those files run, and only the lines that they name are shown.
 */
async function main(words: readonly string[]): Promise<void> {
  const filters = words.filter((word) => !word.startsWith('--'));
  const lines = await listedLines();
  // What a build writes must not stand before the JSON; contract tests run what is built.
  if (!words.includes('--as-built')) await buildAll();
  const { tests, otherFailures } = await runNumberedTests(filters);
  const rows = rowsOf(lines, tests).filter((row) => filters.length === 0 || row.tests.length > 0);
  const faults = [...unlisted(lines, tests), ...otherFailures];
  const ill = rows.filter((row) => !isWell(row));
  if (words.includes('--json')) {
    console.log(JSON.stringify({ rows: rows.map(({ line, standing, tests: own }) => ({ ...line, standing, tests: own.map(({ name, file, end }) => ({ name, file, end: end.as })) })), faults }));
  } else {
    for (const row of rows) console.log(rowText(row));
    for (const fault of faults) console.log(`✖ ${fault}`);
    const count = (standing: string): number => rows.filter((row) => row.standing === standing).length;
    console.log(`${rows.length} lines: ${count('pass')} pass, ${count('fail')} fail, ${count('MISSING')} missing, ${count('NO TEST')} without a test, ${count('due later')} due later; ${tests.length} tests`);
  }
  process.exitCode = ill.length > 0 || faults.length > 0 || tests.length === 0 ? 1 : 0;
}

endOnSignal();
await main(process.argv.slice(2));
// Whatever still holds the process open is a leak; it may delay the end, not prevent it.
setTimeout(() => process.exit(), 5000).unref();

import { join } from 'node:path';
import { generateValidators } from './generate-validators.ts';
import { root } from './project-paths.ts';
import { runCommand } from './run-command.ts';

const checks: readonly { readonly name: string; readonly command: readonly [string, ...string[]] }[] = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-b', '--pretty', 'false'] },
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives', '--format', 'unix'] },
  { name: 'dead code', command: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
];

/** Types, lint and dead code: all of them, so that one run names everything that is wrong. */
async function main(): Promise<void> {
  await generateValidators(root);
  for (const { name, command: [program, ...args] } of checks) {
    try {
      await runCommand(process.execPath, [join(root, program), ...args], { cwd: root });
      console.log(`✔ ${name}`);
    } catch (error) {
      console.log(`✖ ${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}

await main();

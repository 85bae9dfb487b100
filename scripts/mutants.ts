import { spawn } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './build.ts';
import { endOnSignal } from './end-on-signal.ts';
import { mutants, type Mutant } from './mutants/list.ts';
import { root } from './project-paths.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * `npm run mutants [-- LINE …]`: breaks each guard of the boundary in a copy of the project, one at a time, and looks whether the line
 * that it holds turns red in the table of `npm run conformance`. Exit 1 where one stays green.
 */
async function main(wanted: readonly string[]): Promise<void> {
  const chosen = mutants.filter(({ line }) => wanted.length === 0 || wanted.includes(line));
  if (chosen.length === 0) throw new Error(`There is no mutant for ${wanted.join(', ')}; there are: ${mutants.map(({ line }) => line).join(', ')}.`);
  await buildAll();
  const home = await temporaryFolder('mutants');
  try {
    let [red, next] = [0, 0];
    const work = async (copy: string): Promise<void> => {
      for (let mutant = chosen[next++]; mutant !== undefined; mutant = chosen[next++]) {
        const standing = await standingUnder(mutant, copy);
        if (standing === 'fail') red += 1;
        console.log(`${standing === 'fail' ? 'red  ' : 'GREEN'} ${mutant.line.padEnd(4)} ${mutant.what}${standing === 'fail' ? '' : ` (the line: ${standing})`}`);
      }
    };
    const copies = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, (_, n) => join(home.path, `copy-${n}`));
    await Promise.all(copies.map(async (copy) => {
      await copyProject(copy);
      await work(copy);
    }));
    console.log(`${chosen.length} mutants: ${red} red, ${chosen.length - red} green`);
    process.exitCode = red === chosen.length ? 0 : 1;
  } finally {
    await home.remove();
  }
}

/** The tests of one mutant take some seconds. */
const patienceMs = 120_000;

const copied = ['extension', 'scripts', 'test', 'tool-host', 'webview', 'docs', 'generated', 'dist', 'out/meta', 'media', 'package.json', 'tsconfig.json', 'tsconfig.base.json'];

async function copyProject(copy: string): Promise<void> {
  for (const name of copied) await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
}

/** How the mutant's line stands in the table while it is in the copy; the copy is whole again afterwards. */
async function standingUnder(mutant: Mutant, copy: string): Promise<string> {
  const originals = new Map<string, string>();
  try {
    for (const { file, find, replace } of mutant.edits) {
      const path = join(copy, file);
      const text = await readFile(path, 'utf8');
      if (text.split(find).length !== 2) throw new Error(`${mutant.line}: ${JSON.stringify(find)} stands ${text.split(find).length - 1} times in ${file}`);
      if (!originals.has(path)) originals.set(path, text);
      await writeFile(path, text.replace(find, () => replace));
    }
    return await standingOf(mutant, copy);
  } finally {
    for (const [path, text] of originals) await writeFile(path, text);
  }
}

async function standingOf({ line, tests }: Mutant, copy: string): Promise<string> {
  const child = spawn(process.execPath, [join(copy, 'scripts/conformance.ts'), '--json', '--as-built', ...tests], { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, COUNTERSIGN_PROPERTY_RUNS: '50' }, detached: process.platform !== 'win32' });
  let said = '';
  const timer = setTimeout(() => killGroup(child.pid), patienceMs);
  child.stdout.setEncoding('utf8').on('data', (text: string) => { said += text; });
  await new Promise<void>((resolve) => child.once('close', () => resolve()));
  clearTimeout(timer);
  // A mutant may leave a test waiting for ever: that is no answer.
  if (said === '') return 'no answer';
  const report = JSON.parse(said) as { readonly rows: readonly { readonly number: string; readonly standing: string }[] };
  return report.rows.find(({ number }) => number === line)?.standing ?? 'no test ran';
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

endOnSignal();
await main(process.argv.slice(2));

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, suite, test, type TestContext } from 'node:test';
import { buildIfMissing, headless, hostProgram } from './headless-host.ts';

/** How many times a host is killed; the whole check takes 50. */
const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 2);
const lines = 1000;

const write = (n: number): string => JSON.stringify({ id: `w${n}`, name: 'write_file', arguments: { path: `out/${n}.txt`, content: `${n}\n` } });

interface Event {
  readonly type: string;
  readonly call?: string;
  readonly calls?: readonly { readonly call: string; readonly id: string }[];
}
const eventsIn = async (file: string): Promise<readonly Event[]> => (await readFile(file, 'utf8')).split('\n').slice(0, -1).map((line) => (JSON.parse(line) as { readonly event: Event }).event);
const verified = async (log: string): Promise<{ readonly code: number | null; readonly ok: boolean; readonly records: number; readonly torn: boolean; readonly line?: number }> => {
  const { code, stdout } = await headless(['verify', log], '');
  return { code, ...JSON.parse(stdout) };
};
const resumed = async (log: string, ...flags: readonly string[]): Promise<{ readonly closed: readonly { readonly call: string; readonly code: string }[]; readonly turnEnded: boolean; readonly torn: boolean }> =>
  JSON.parse((await headless(['resume', log, ...flags], '')).stdout);

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-logs-')));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a thousand writes and kills the host once it has answered so many; gives the ids that it answered. */
async function killed(folder: string, log: string, afterLines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [hostProgram, 'run', '--workspace', folder, '--answer', 'allow', '--log', log], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(Array.from({ length: lines }, (_, n) => write(n)).join('\n'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > afterLines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return said.split('\n').slice(0, -1).map((line) => (JSON.parse(line) as { readonly id: string }).id);
}

suite('the log of a headless run', () => {
  before(buildIfMissing);

  test('I2 I3 after kill -9 at any moment the log holds to its last whole record, every open call is closed once, and nothing was done without a record', { skip: process.platform === 'win32' && 'no signals there' }, async (t) => {
    for (let kill = 0; kill < kills; kill++) {
      const base = await temporaryFolder(t);
      const [folder, log] = [join(base, 'ws'), join(base, 'state', 'session.jsonl')];
      await mkdir(folder, { recursive: true });
      await mkdir(dirname(log));
      const answered = await killed(folder, log, Math.floor(Math.random() * lines * 0.9));
      const { code, ok, records } = await verified(log);
      assert.deepEqual([code, ok], [0, true]);
      const wholeLines = (await readFile(log, 'utf8')).split('\n').length - 1;
      assert.equal(records, wholeLines);

      const events = await eventsIn(log);
      const ids = new Map(events.flatMap(({ calls }) => calls ?? []).map(({ call, id }) => [call, id]));
      const of = (type: string): ReadonlySet<string> => new Set(events.flatMap((event) => (event.type === type && event.call !== undefined ? [ids.get(event.call) ?? ''] : [])));
      const [started, settled] = [of('started'), of('settled')];
      assert.deepEqual(answered.filter((id) => !settled.has(id)), [], 'what was answered is recorded');
      const written = (await readdir(join(folder, 'out')).catch(() => [])).filter((name) => name.endsWith('.txt') && !name.startsWith('.')).map((name) => `w${name.replace('.txt', '')}`);
      assert.deepEqual(written.filter((id) => !started.has(id)), [], 'what was done is recorded');

      const open = [...ids].filter(([, id]) => !settled.has(id));
      const expected = open.map(([call, id]) => ({ call, code: started.has(id) ? 'TOOL_OUTCOME_UNKNOWN' : 'TOOL_NOT_STARTED' }));
      assert.deepEqual((await resumed(log, '--dry-run')).closed, expected);
      assert.equal((await verified(log)).records, records, 'a dry run changes nothing');
      assert.deepEqual((await resumed(log)).closed, expected);
      assert.deepEqual(await resumed(log), { torn: false, closed: [], turnEnded: false, dryRun: false });
      assert.equal((await verified(log)).torn, false);
    }
  });

  test('I1 I3 I4 damage is told with its line, exit 1, and the file is left as it is; half a last line is no damage', async (t) => {
    const base = await temporaryFolder(t);
    const [folder, log] = [join(base, 'ws'), join(base, 'session.jsonl')];
    await mkdir(folder);
    await headless(['run', '--workspace', folder, '--answer', 'allow', '--log', log], [write(1), write(2)].join('\n'));
    const whole = await readFile(log, 'utf8');
    const { records } = await verified(log);
    appendFileSync(log, '{"n":99,"at":');
    assert.deepEqual(await verified(log), { code: 0, ok: true, records, torn: true, headKeyed: false });
    assert.equal((await resumed(log)).torn, true);

    const changed: Readonly<Record<string, string>> = {
      'a byte': whole.replace('out/1.txt', 'out/7.txt'), 'a record that is gone': whole.split('\n').toSpliced(2, 1).join('\n'),
      'two that changed places': whole.split('\n').toSpliced(2, 2, ...whole.split('\n').slice(2, 4).reverse()).join('\n'),
    };
    for (const [what, text] of Object.entries(changed)) {
      await writeFile(log, text);
      const { code, ok, line } = await verified(log);
      assert.deepEqual([code, ok, typeof line], [1, false, 'number'], what);
      assert.equal((await headless(['resume', log], '')).code, 1, what);
      assert.equal(await readFile(log, 'utf8'), text, `${what}: left as it is`);
    }
  });

  test('a log that is not there, or none, or two, is told in a sentence, exit 2', async (t) => {
    const missing = join(await temporaryFolder(t), 'no.jsonl');
    for (const args of [['verify', missing], ['resume', missing], ['verify'], ['resume', 'a', 'b'], ['verify', 'a', '--dry-run']]) {
      const { code, stdout, stderr } = await headless(args, '');
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /^(?:\S+ cannot be read: |verify takes one LOG|resume takes one LOG|verify changes nothing)/);
    }
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readLog } from '../../../extension/session/read-log.ts';
import { reopenLog } from '../../../extension/session/repair.ts';
import { temporaryFolder } from './session-logs.ts';

/** Kills a process that appends, in the middle of it, once it has acknowledged so many records; gives the last that it acknowledged. */
async function killedAfter(records: number, file: string): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./append-for-ever.ts')), file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > records) child.kill('SIGKILL');
  });
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL');
  return Number(said.split('\n').at(-2));
}

test('I2 every record that was acknowledged is there after kill -9, and the log goes on from them', { skip: process.platform === 'win32' && 'no signals there' }, async (t) => {
  for (const records of [1, 7, 60, 300]) {
    const file = join(temporaryFolder(t), 'session.jsonl');
    const acknowledged = await killedAfter(records, file);
    assert.ok(acknowledged >= records);
    const { records: found } = readLog(file);
    assert.ok(found.length >= acknowledged, `${found.length} of ${acknowledged}`);
    const { log } = reopenLog(file);
    assert.ok(log.events.length > acknowledged, 'the turn was closed');
    log.close();
    assert.equal(readLog(file).torn, false);
  }
});

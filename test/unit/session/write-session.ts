import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { createOwnedLog, openOwnedLog } from '../../../extension/session/open-log.ts';
import type { OwnedLog } from '../../../extension/session/owned-log.ts';
import { claimSession, takeSessionOver } from '../../../extension/session/session-owner.ts';
import { baseOf, fastPorts } from './owners.ts';
import { event, start } from './session-logs.ts';

/**
 * Writes a session as a window does: `FILE NAME ROUNDS`. Each round it takes the session over, and appends until another process wants it, or
 * has ended, which leaves `FILE.done`. Says each record that was appended, and how a round ended. With 0 rounds it begins the session and
 * keeps it until it is lost.
 */
const [file = '', name = '', rounds = '0'] = process.argv.slice(2);
const ports = fastPorts();
const say = (line: string): void => void writeSync(1, `${line}\n`);

async function write(log: OwnedLog, round: number): Promise<void> {
  let isLost = false;
  let isStopping = false;
  const lost = new Promise<void>((resolve) => {
    log.onLost({ sleep: ports.sleep, letGoMs: ports.times.letGo }, () => {
      isStopping = true;
      return Promise.resolve();
    }, () => { isLost = true; resolve(); });
  });
  for (let n = 1; !isStopping && !existsSync(`${file}.done`); n++) {
    const text = `${name}.${round}.${n} ${'x'.repeat((n * 997) % 3000)}`;
    try {
      log.append(event.user(text));
    } catch (error) {
      say(`refused ${String(error)}`);
      break;
    }
    say(`wrote ${name}.${round}.${n}`);
    await ports.sleep(n % 5);
  }
  if (existsSync(`${file}.done`) && !isStopping) log.close();
  else await lost;
  say(isLost ? 'lost' : 'left');
}

if (rounds === '0') {
  const claimed = await claimSession(baseOf(file), ports);
  if (claimed.type === 'held') throw new Error('it is held');
  say('owns');
  await write(createOwnedLog(file, start, claimed.owner), 0);
} else {
  for (let round = 1; round <= Number(rounds); round++) {
    let claimed = await takeSessionOver(baseOf(file), ports);
    while (claimed.type === 'held') claimed = await takeSessionOver(baseOf(file), ports);
    say(`took ${claimed.before}`);
    await write(openOwnedLog(file, claimed).log, round);
  }
  writeFileSync(`${file}.done`, '');
}

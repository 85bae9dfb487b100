import type { Effect } from '../boundary/effect.ts';

/** What an effect touches: paths, no file at all, or what nobody can say beforehand. */
type Reach = { readonly paths: readonly string[]; readonly changes: boolean } | 'nothing' | 'anything';

/** Whether one of these could change what one of those reads or changes, or the other way round. What has no bounds overlaps with every file. */
export function overlap(these: readonly Effect[], those: readonly Effect[]): boolean {
  const others = those.map(reachOf);
  return these.some((one) => {
    const reach = reachOf(one);
    return others.some((other) => meet(reach, other));
  });
}

function meet(one: Reach, other: Reach): boolean {
  if (one === 'nothing' || other === 'nothing') return false;
  if (one === 'anything' || other === 'anything') return true;
  return (one.changes || other.changes) && one.paths.some((path) => other.paths.some((otherPath) => holds(path, otherPath) || holds(otherPath, path)));
}

function reachOf(effect: Effect): Reach {
  switch (effect.kind) {
    case 'read': return { paths: [comparable(effect.path)], changes: false };
    case 'write':
    case 'delete': return { paths: [comparable(effect.path)], changes: true };
    case 'move': return { paths: [comparable(effect.from), comparable(effect.to)], changes: true };
    case 'fetch':
    case 'converse': return 'nothing';
    case 'run':
    case 'process':
    case 'mcp': return 'anything';
  }
}

/** Two names of one file on a file system that does not tell case apart are taken for one everywhere: too much overlap costs time only. */
function comparable(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/+$/, '').normalize('NFC').toLowerCase();
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

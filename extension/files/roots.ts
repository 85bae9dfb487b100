import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CodedError } from '../boundary/error-codes.ts';
import type { RealPath } from '../boundary/effect.ts';

/** One workspace folder. */
export interface Root {
  /** As the editor shows it; the first part of a path where there are several. */
  readonly name: string;
  readonly path: RealPath;
}

export interface RootFolder {
  readonly name: string;
  readonly path: string;
}

/** The folders of a workspace, by their real paths: where the model's paths begin, and what counts as inside. */
export class Roots {
  readonly list: readonly Root[];
  readonly home: string;

  private constructor(list: readonly Root[], home: string) {
    this.list = list;
    this.home = home;
  }

  /** Throws FS_NOT_FOUND where a folder does not exist. Equal names get a number, as paths begin with them. */
  static async of(folders: readonly RootFolder[], home: string = homedir()): Promise<Roots> {
    const taken = new Set<string>();
    const list: Root[] = [];
    for (const folder of folders) {
      const own = firstPart(folder.name);
      let name = own;
      for (let number = 2; taken.has(name); number += 1) name = `${own}-${number}`;
      taken.add(name);
      list.push({ name, path: await realFolder(folder.path) });
    }
    return new Roots(list, await realHome(home));
  }

  /** The innermost folder that holds a real path. */
  rootOf(path: string): Root | null {
    let found: Root | null = null;
    for (const root of this.list) if (isWithin(path, root.path) && (found === null || root.path.length > found.path.length)) found = root;
    return found;
  }

  /** Relative to its folder with `/`, `''` for the folder itself, null outside. */
  relativeIn(path: string): string | null {
    const root = this.rootOf(path);
    return root === null ? null : slashes(relative(root.path, path));
  }

  /** The same for every folder that holds it: folders may be nested. */
  relativeInEach(path: string): readonly string[] {
    return this.list.filter((root) => isWithin(path, root.path)).map((root) => slashes(relative(root.path, path)));
  }

  /** As the model and the person read it: relative where it lies inside, absolute elsewhere. */
  display(path: string): string {
    const root = this.rootOf(path);
    if (root === null) return path;
    const inside = slashes(relative(root.path, path));
    if (this.list.length > 1) return inside === '' ? root.name : `${root.name}/${inside}`;
    return inside === '' ? '.' : inside;
  }

  /** The absolute path that the model means; nothing is touched. Throws FS_REFUSED for what no path of ours may look like. */
  absolute(path: string): string {
    refuseStrangePaths(path);
    if (path === '~' || path.startsWith('~/')) return join(this.home, path.slice(1));
    if (isAbsolute(path)) return resolve(path);
    const [only] = this.list;
    if (only === undefined) throw new CodedError('FS_NOT_FOUND', 'No folder is open, so a relative path leads nowhere. Ask the person to open a folder.');
    if (this.list.length === 1) return resolve(only.path, path);
    const [first = '', ...rest] = path.replace(/^(?:\.\/)+/, '').split('/');
    const root = this.list.find(({ name }) => name === first);
    if (root === undefined) {
      throw new CodedError('FS_NOT_FOUND', `With several folders open, a path begins with the folder's name: ${this.list.map(({ name }) => `${name}/…`).join(', ')}. ${JSON.stringify(path)} does not.`);
    }
    return resolve(root.path, rest.join('/'));
  }
}

/** True for the folder itself and all below it; never for a neighbour whose name only begins alike. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function realFolder(path: string): Promise<RealPath> {
  try {
    return await realpath(path) as RealPath;
  } catch (cause) {
    throw new CodedError('FS_NOT_FOUND', `The workspace folder ${path} does not exist or cannot be entered.`, { cause });
  }
}

/** Rules below `~/` are compared with real paths. */
async function realHome(home: string): Promise<string> {
  try {
    return await realpath(home);
  } catch {
    return home;
  }
}

/** A folder's name as paths can begin with it. */
function firstPart(name: string): string {
  const part = name.replaceAll(/[\\/]/g, '-').toWellFormed();
  return part === '' || part === '.' || part === '..' || part.startsWith('~') ? `folder${part}` : part;
}

function refuseStrangePaths(path: string): void {
  const refuse = (why: string): never => {
    throw new CodedError('FS_REFUSED', `The path ${JSON.stringify(path.slice(0, 200))} is refused: ${why}. Use a path relative to the workspace folder.`);
  };
  if (path === '') refuse('it is empty');
  if (path.includes('\0')) refuse('it holds a NUL character');
  if (path.length > 4096) refuse('it is longer than 4,096 characters');
  if (/^[\\/]{2}/.test(path)) refuse('it names a network share or a device');
  if (/^\\(?:\?\?|device)\\/i.test(path)) refuse('it names a device');
  if (process.platform === 'win32') {
    if (/:/.test(path.replace(/^[A-Za-z]:/, ''))) refuse('it names an alternate stream');
    if (path.split(/[\\/]/).some((part) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part))) refuse('it names a device');
  }
}

function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

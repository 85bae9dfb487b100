import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CodedError } from '../boundary/error-codes.ts';
import type { RealPath } from '../boundary/effect.ts';
import { canonicalForeign, isForeign } from '../boundary/foreign-path.ts';
import { type ForeignFiles, foreignRealPath, foreignRefused, isInFolders, isInForeign, noForeignFiles } from './foreign-files.ts';

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
  /** Where folders that do not lie on disk are reached. */
  readonly foreign: ForeignFiles;

  private constructor(list: readonly Root[], home: string, foreign: ForeignFiles) {
    this.list = list;
    this.home = home;
    this.foreign = foreign;
  }

  /** Throws FS_NOT_FOUND where a folder does not exist. Equal names get a number, as paths begin with them. */
  static async of(folders: readonly RootFolder[], home: string = homedir(), foreign: ForeignFiles = noForeignFiles): Promise<Roots> {
    const taken = new Set<string>();
    const list: Root[] = [];
    for (const folder of folders) {
      const own = firstPart(folder.name);
      let name = own;
      for (let number = 2; taken.has(name); number += 1) name = `${own}-${number}`;
      taken.add(name);
      list.push({ name, path: await realFolder(folder.path, foreign) });
    }
    return new Roots(list, await realHome(home), foreign);
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
    return root === null ? null : insideOf(root, path);
  }

  /** The same for every folder that holds it: folders may be nested. */
  relativeInEach(path: string): readonly string[] {
    return this.list.filter((root) => isWithin(path, root.path)).map((root) => insideOf(root, path));
  }

  /** As the model and the person read it: relative where it lies inside, absolute elsewhere. */
  display(path: string): string {
    const root = this.rootOf(path);
    if (root === null) return path;
    const inside = insideOf(root, path);
    if (this.list.length > 1) return inside === '' ? root.name : `${root.name}/${inside}`;
    return inside === '' ? '.' : inside;
  }

  /** The absolute path that the model means; nothing is touched. Throws FS_REFUSED for what no path of ours may look like. */
  absolute(path: string): string {
    if (isForeign(path)) return this.#foreignPath(path);
    refuseStrangePaths(path);
    if (path === '~' || path.startsWith('~/')) return join(this.home, path.slice(1));
    if (isAbsolute(path)) return resolve(path);
    const [only] = this.list;
    if (only === undefined) throw new CodedError('FS_NOT_FOUND', 'No folder is open, so a relative path leads nowhere. Give the absolute path.');
    if (this.list.length === 1) return this.#below(only, path);
    const [first = '', ...rest] = path.replace(/^(?:\.\/)+/, '').split('/');
    const root = this.list.find(({ name }) => name === first);
    if (root === undefined) {
      throw new CodedError('FS_NOT_FOUND', `With several folders open, a path begins with the folder's name: ${this.list.map(({ name }) => `${name}/…`).join(', ')}. ${JSON.stringify(path)} does not.`);
    }
    return this.#below(root, rest.join('/'));
  }

  #below(root: Root, path: string): string {
    return isForeign(root.path) ? this.#foreignPath(`${root.path}/${path}`) : resolve(root.path, path);
  }

  /** Only what lies in an open folder: whatever the policy says, nothing else there is reached. */
  #foreignPath(path: string): string {
    const canonical = canonicalForeign(path);
    if (canonical === null || !isInFolders(canonical, this.foreign)) throw foreignRefused(path);
    return canonical;
  }
}

/** True for the folder itself and all below it; never for a neighbour whose name only begins alike. */
export function isWithin(path: string, folder: string): boolean {
  if (isForeign(path) || isForeign(folder)) return isInForeign(path, folder);
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function realFolder(path: string, foreign: ForeignFiles): Promise<RealPath> {
  if (isForeign(path)) return foreignFolder(path, foreign);
  try {
    return await realpath(path) as RealPath;
  } catch (cause) {
    throw new CodedError('FS_NOT_FOUND', `The workspace folder ${path} does not exist or cannot be entered.`, { cause });
  }
}

async function foreignFolder(path: string, foreign: ForeignFiles): Promise<RealPath> {
  const real = await foreignRealPath(path, foreign);
  if ((await foreign.status(real))?.type !== 'directory') throw new CodedError('FS_NOT_FOUND', `The workspace folder ${path} does not exist or cannot be entered.`);
  return real;
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
  if (path.includes('\uFFFD')) refuse('it holds U+FFFD, which stands for bytes that are no UTF-8: such a name cannot be given here, and the person would have to rename it');
  if (path.length > 4096) refuse('it is longer than 4,096 characters');
  if (/^[\\/]{2}/.test(path)) refuse('it names a network share or a device');
  if (/^\\(?:\?\?|device)\\/i.test(path)) refuse('it names a device');
  if (process.platform === 'win32') {
    if (/:/.test(path.replace(/^[A-Za-z]:/, ''))) refuse('it names an alternate stream');
    if (path.split(/[\\/]/).some((part) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part))) refuse('it names a device');
  }
}

/** Of a path that lies in the folder, the part below it, with `/`. */
function insideOf({ path: folder }: Root, path: string): string {
  return isForeign(folder) ? path.slice(folder.length).replace(/^\//, '') : slashes(relative(folder, path));
}

function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

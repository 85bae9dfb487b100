import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { isForeign } from '../boundary/foreign-path.ts';
import { Roots } from '../files/roots.ts';
import { EditorFiles } from './editor-files.ts';
import { foreignPathOf } from './foreign-uri.ts';

/** The folders of the workspace, on disk and off it. One that is gone, or cannot be used, does not take the others with it. */
export async function rootsOfWorkspace(folders: readonly Pick<vscode.WorkspaceFolder, 'name' | 'uri'>[], warn: (message: string) => void): Promise<Roots> {
  const found = folders.map(({ name, uri }) => ({ name, uri, path: uri.scheme === 'file' ? uri.fsPath : foreignPathOf(uri) }));
  const files = new EditorFiles(foreignOf(found.flatMap(({ path }) => path ?? [])));
  const there: { readonly name: string; readonly path: string }[] = [];
  for (const { name, uri, path } of found) {
    const why = path === null ? 'its address cannot be written as a path' : uri.scheme === 'file' ? whyNoDiskFolder(path) : await whyNoFolder(path, files);
    if (path !== null && why === null) there.push({ name, path });
    else warn(`The workspace folder ${uri.toString(true)} is left out: ${why}.`);
  }
  return Roots.of(there, undefined, new EditorFiles(foreignOf(there.map(({ path }) => path))));
}

function foreignOf(paths: readonly string[]): readonly string[] {
  return paths.filter(isForeign);
}

function whyNoDiskFolder(path: string): string | null {
  return existsSync(path) ? null : 'it does not exist or cannot be entered';
}

async function whyNoFolder(path: string, files: EditorFiles): Promise<string | null> {
  try {
    return (await files.status(path))?.type === 'directory' ? null : 'it does not exist, or is no folder';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RealPath } from '../boundary/effect.ts';
import type { OpenDocuments } from '../files/open-documents.ts';

/** What the editor holds unsaved, by real path: a document that was opened through a link counts for its target. */
export const dirtyDocuments: OpenDocuments = {
  isDirty: (path: RealPath) =>
    vscode.workspace.textDocuments.some((document) => document.isDirty && isFor(document.uri, path))
    || vscode.workspace.notebookDocuments.some((notebook) => notebook.isDirty && isFor(notebook.uri, path)),
};

function isFor(uri: vscode.Uri, path: RealPath): boolean {
  if (uri.scheme !== 'file') return false;
  if (uri.fsPath === path) return true;
  try {
    return realpathSync.native(uri.fsPath) === path;
  } catch {
    return false;
  }
}

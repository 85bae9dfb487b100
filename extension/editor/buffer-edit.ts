import * as vscode from 'vscode';
import { sha256 } from '../boundary/digest.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { decodeText, surveyLines } from '../edits/text.ts';
import { smallestHunks } from '../edits/text-hunks.ts';
import { stale } from '../edits/world-check.ts';

export interface BufferEdit {
  readonly path: RealPath;
  /** The one unsaved document of the file; none where there is none, or more than one. */
  readonly document: vscode.TextDocument | undefined;
  readonly base: Digest;
  readonly bytes: Uint8Array;
}

/** A document's text as UTF-8, with a byte order mark where it will be saved with one. */
export function bytesOf(document: vscode.TextDocument): Uint8Array {
  return Buffer.from(document.encoding === 'utf8bom' ? `\uFEFF${document.getText()}` : document.getText(), 'utf8');
}

/**
 * Makes a document's text the signed one, by one edit of the places that differ, and leaves it unsaved. The document is compared with
 * its base in the same turn in which the edit is handed over with the document's version; the editor refuses it where a key was
 * pressed in between.
 */
export async function replaceText({ path, document, base, bytes }: BufferEdit): Promise<void> {
  if (document === undefined) throw stale(`${path} is not open as one document with unsaved changes any more`);
  const decoded = decodeText(bytes, path);
  if (decoded instanceof CodedError) throw decoded;
  const { text, bom } = decoded;
  const { ends } = surveyLines(text);
  if (ends === 'mixed' || ends === 'cr' || bom !== (document.encoding === 'utf8bom')) {
    throw new CodedError('FS_DIRTY', `${path} has unsaved changes in the editor, and a document there cannot hold these line ends or this byte order mark. Nothing was changed. Ask the person to save it first.`);
  }
  const before = document.getText();
  const edit = editOf(document, text, ends);
  if (document.isClosed || !document.isDirty || sha256(bytesOf(document)) !== base) throw stale(`The unsaved text of ${path} changed in the editor after this was signed`);

  let landed = false;
  const listening = vscode.workspace.onDidChangeTextDocument((event) => {
    // What the person types right after it does not take away that it landed.
    if (event.document === document) landed ||= document.getText() === text;
  });
  try {
    const applied = await vscode.workspace.applyEdit(edit);
    if (landed || document.getText() === text) return;
    if (!applied || document.getText() === before) throw stale(`The document ${path} changed in the editor just before the edit, and the editor refused it; it holds what the person made of it`);
  } finally {
    listening.dispose();
  }
  throw new CodedError('TOOL_FAILED', `The edit of ${path} went into the editor, and the document does not hold what was signed: it has ${document.getText().length} characters in place of ${text.length}, and differs from line ${firstDifference(document.getText(), text)} on. It is not saved; undo in the editor takes the edit back. Read the file again before you go on.`);
}

function editOf(document: vscode.TextDocument, text: string, ends: 'lf' | 'crlf' | 'none'): vscode.WorkspaceEdit {
  const own = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const wanted = ends === 'none' ? document.eol : ends === 'crlf' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  const hunks = smallestHunks(document.getText(), text.replaceAll(/\r?\n/g, own));
  const edits = hunks.map(({ start, end, text: piece }) => vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), piece));
  if (wanted !== document.eol) edits.push(vscode.TextEdit.setEndOfLine(wanted));
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return edit;
}

/** 1-based. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one.slice(0, at).split('\n').length;
}

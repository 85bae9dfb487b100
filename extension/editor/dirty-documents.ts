import * as vscode from 'vscode';
import { sha256 } from '../boundary/digest.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { surveyLines } from '../edits/text.ts';
import type { OpenDocuments, UnsavedDocument } from '../files/open-documents.ts';
import { bytesOf, replaceText } from './buffer-edit.ts';
import { leadsTo, savedBytes } from './saved-file.ts';

/** What the editor holds unsaved, by real path: a document that was opened through a link counts for its target. */
export const dirtyDocuments: OpenDocuments = {
  unsaved: (path) => {
    const [document, ...others] = textsOf(path);
    if (document !== undefined) return unsavedText(document, path, others.length);
    if (vscode.workspace.notebookDocuments.some((notebook) => notebook.isDirty && leadsTo(notebook.uri, path))) return unsavedElsewhere(path, 'it is a notebook');
    return isDirtyCustom(path) ? unsavedElsewhere(path, 'it is open in an editor that is not for text') : null;
  },
  replace: async (path, base, bytes) => {
    const [document, ...others] = textsOf(path);
    await replaceText({ path, document: others.length === 0 ? document : undefined, base, bytes });
  },
};

function textsOf(path: RealPath): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((document) => document.isDirty && leadsTo(document.uri, path));
}

function isDirtyCustom(path: RealPath): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ isDirty, input }) => isDirty && input instanceof vscode.TabInputCustom && leadsTo(input.uri, path)));
}

/** A digest and what is unfit cost a look at the whole text: a search asks for neither. */
function unsavedText(document: vscode.TextDocument, path: RealPath, others: number): UnsavedDocument {
  const bytes = bytesOf(document);
  return {
    bytes,
    get digest(): Digest { return sha256(bytes); },
    get unfit() { return others > 0 ? 'it is open under two names, each with unsaved changes' : unfitText(document, path); },
  };
}

function unfitText(document: vscode.TextDocument, path: RealPath): string | null {
  if (document.encoding !== 'utf8' && document.encoding !== 'utf8bom') return `it will be saved as ${document.encoding}, and only UTF-8 can hold every character`;
  if (!document.getText().isWellFormed()) return 'it holds half a character (a lone surrogate)';
  const saved = savedBytes(path);
  return saved !== null && surveyLines(Buffer.from(saved).toString('latin1')).ends === 'mixed' ? 'its line ends are mixed on disk, and the editor would make them all the same' : null;
}

/** Its unsaved state is not ours to read: what was saved last is read, and nothing of it is changed. */
function unsavedElsewhere(path: RealPath, unfit: string): UnsavedDocument {
  const bytes = savedBytes(path);
  if (bytes === null) throw new CodedError('FS_REFUSED', `${path} has unsaved changes in the editor and cannot be read: ${unfit}. Ask the person to save it.`);
  return { bytes, digest: sha256(bytes), unfit };
}

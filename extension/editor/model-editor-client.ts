import * as vscode from 'vscode';
import { answerLimits } from '../model/answer-assembly.ts';
import { editorBodyOf, type EditorBody, type EditorMessage } from '../model/editor-body.ts';
import type { ModelCall, ModelCapabilities, ModelClient, ModelEvent, ModelFailure, ModelFailureKind } from '../model/model-client.ts';

export interface EditorClientOptions {
  readonly chat: vscode.LanguageModelChat;
  readonly label: string;
  readonly capabilities: ModelCapabilities;
}

/**
 * A client of the editor's own models (`vscode.lm`). The editor stands between us and the provider, so some of what holds elsewhere cannot:
 *
 * - A call's arguments come as an object that was parsed already, and are serialised anew: that a key stood there twice, or that a number had
 *   more digits than a double holds, can no longer be seen. What is decided, shown and run is that one serialised text all the same.
 * - Why an answer ended is not said: one that was cut off by the token limit looks like one that is complete. A call comes whole or not at
 *   all, so none that is cut off is executed; but the model is not told of it.
 * - Usage is not said, and nothing of thinking.
 * - What `bodyOf` shows is what is handed to the editor; what its provider sends is that one's matter.
 */
export function createEditorClient({ chat, label, capabilities }: EditorClientOptions): ModelClient {
  return {
    label,
    capabilities,
    bodyOf: (request) => JSON.stringify(editorBodyOf(request, capabilities)),
    async *stream(request, signal) {
      const source = new vscode.CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        if (signal.aborted) {
          yield failed('aborted', stoppedMessage, false);
          return;
        }
        for await (const event of answerOf(chat, editorBodyOf(request, capabilities), source.token)) {
          // The editor may go on giving what had come before the stop.
          if (signal.aborted) break;
          yield event;
          if (event.type === 'finished' || event.type === 'failed') return;
        }
        yield failed('aborted', stoppedMessage, false);
      } catch (error) {
        yield signal.aborted ? failed('aborted', stoppedMessage, false) : { type: 'failed', failure: failureOf(error, chat.name) };
      } finally {
        signal.removeEventListener('abort', cancel);
        // Left early: the model need not go on.
        source.cancel();
        source.dispose();
      }
    },
  };
}

const stoppedMessage = 'The request was stopped.';

async function* answerOf(chat: vscode.LanguageModelChat, body: EditorBody, token: vscode.CancellationToken): AsyncGenerator<ModelEvent, void, undefined> {
  const response = await chat.sendRequest(body.messages.map(messageOf), {
    justification: 'Countersign sends your conversation to this model, with what it reads for it.',
    ...(body.tools.length > 0 ? { tools: body.tools.map((tool) => ({ ...tool })) } : {}),
  }, token);
  const calls: ModelCall[] = [];
  let any = false;
  let length = 0;
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      if (part.value === '') continue;
      length += part.value.length;
      if (length > answerLimits.text) return yield failed('protocol', `The model wrote more than ${answerLimits.text} characters in one answer. Try again, or choose another model.`, false);
      any = true;
      yield { type: 'text', text: part.value };
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      if (calls.length >= answerLimits.calls) return yield failed('protocol', `The model asked for more than ${answerLimits.calls} calls in one answer. Try again, or choose another model.`, false);
      const call = callOf(part, calls.length);
      length += call.arguments.length;
      if (length > answerLimits.allArguments) return yield failed('protocol', `The model asked for calls with more than ${answerLimits.allArguments} characters in one answer. Try again, or choose another model.`, false);
      yield { type: 'call-started', index: calls.length, id: call.id, name: call.name };
      yield { type: 'call-arguments', index: calls.length, text: call.arguments };
      calls.push(call);
    }
    // Parts of other kinds, such as data of the provider's own, are not for the person.
  }
  if (!any && calls.length === 0) return yield failed('broken-stream', 'The model gave an empty answer. Try again.', true);
  yield { type: 'finished', reason: calls.length > 0 ? 'tool-calls' : 'stop', calls, usage: null };
}

function callOf({ callId, name, input }: vscode.LanguageModelToolCallPart, position: number): ModelCall {
  // Whatever it is; the boundary judges the text.
  const text: unknown = JSON.stringify(input ?? {});
  return { id: callId === '' ? `call_${position + 1}` : callId, name, arguments: (typeof text === 'string' ? text : '').slice(0, answerLimits.callArguments) };
}

function messageOf(message: EditorMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant(message.content.map((part) => {
        switch (part.type) {
          case 'text': return new vscode.LanguageModelTextPart(part.text);
          case 'call': return new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input);
        }
      }));
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.content.map((part) => {
        switch (part.type) {
          case 'text': return new vscode.LanguageModelTextPart(part.text);
          case 'image': return vscode.LanguageModelDataPart.image(Buffer.from(part.base64, 'base64'), part.mediaType);
          case 'result': return new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)]);
        }
      }));
  }
}

/** What went wrong, with what to do. The editor's codes first; a provider's own errors have none, so their words are looked at. */
export function failureOf(error: unknown, model: string): ModelFailure {
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  const said = wordsOf(error);
  switch (code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return failure('key', `Countersign may not use ${model}: the editor asks for that once, and it was not allowed. Allow it under “Manage Language Model Access” in the Accounts menu, or choose another model.${said}`, false);
    case vscode.LanguageModelError.NotFound.name:
      return failure('not-found', `${model} is not there any more.${said} Choose another model, or sign in again with the extension that provides it.`, false);
    case vscode.LanguageModelError.Blocked.name:
      return failure('busy', `The provider does not answer with ${model} now: a quota is used up, or the request was held back.${said} Wait, or choose another model.`, false);
  }
  if (/context.?length|context window|too long|token limit|too many tokens|maximum context|exceeds the limit|prompt is too/i.test(said)) {
    return failure('too-long', `The conversation is longer than ${model} can read.${said} Start a new session, or choose a model that reads more.`, false);
  }
  if (/quota/i.test(said)) return failure('busy', `The quota for ${model} is used up.${said} Wait until it is renewed, or choose another model.`, false);
  if (/rate.?limit|too many requests|\b429\b|overloaded/i.test(said)) return failure('busy', `${model} is busy.${said} Wait a little and try again.`, true);
  if (/network|ECONN|ENOTFOUND|timed? ?out|socket|fetch failed/i.test(said)) return failure('network', `The connection to ${model} failed.${said} Check the network and try again.`, true);
  if (said.includes('could not read an image')) return failure('bad-request', `${model} was not asked.${said} Start a new session, and send the image in another format.`, false);
  return failure('server', `${model} failed.${said} Try again, or choose another model.`, false);
}

function failure(kind: ModelFailureKind, message: string, retryable: boolean): ModelFailure {
  return { kind, message, retryable };
}

function failed(kind: ModelFailureKind, message: string, retryable: boolean): ModelEvent {
  return { type: 'failed', failure: failure(kind, message, retryable) };
}

/** The error's own words and those of its causes. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) if (at.message !== '' && !words.includes(at.message)) words.push(at.message);
  // The editor makes images smaller before it hands them over; of one that it cannot read, it throws a bare event of the page's.
  if (words.length === 0 && typeof error === 'object' && error !== null && 'isTrusted' in error) return ' The editor could not read an image of this conversation.';
  const text = (words.length === 0 && typeof error === 'string' ? error : words.join(': ')).replace(/\s+/g, ' ').trim();
  return text === '' ? '' : ` It says: ${text.slice(0, 300).replace(/[.\s]+$/, '')}.`;
}

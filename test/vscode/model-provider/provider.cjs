// Gives the editor models of its own, which answer as a test in the same process says.
const vscode = require('vscode');

const models = [
  { id: 'scripted', name: 'Scripted', family: 'gpt-5', version: '1', maxInputTokens: 12345, maxOutputTokens: 678, capabilities: { toolCalling: true, imageInput: true } },
  { id: 'deaf', name: 'Without tools', family: 'gpt-5', version: '1', maxInputTokens: 1000, maxOutputTokens: 100, capabilities: { toolCalling: false, imageInput: false } },
];

exports.activate = (context) => {
  const requests = [];
  let answer = async () => {};
  const changed = new vscode.EventEmitter();
  let offered = models;
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('countersign-tests', {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => offered,
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) => {
      requests.push({ model: model.id, messages, tools: options.tools });
      await answer(progress, token, vscode);
    },
    provideTokenCount: () => Promise.resolve(1),
  }));
  return {
    requests,
    setAnswer: (next) => { answer = next; },
    offer: (ids) => { offered = models.filter(({ id }) => ids.includes(id)); changed.fire(); },
  };
};

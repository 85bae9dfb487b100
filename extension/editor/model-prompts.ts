import * as vscode from 'vscode';

/** What a step of a flow came to. */
export type Step<T> = { readonly kind: 'given'; readonly value: T } | { readonly kind: 'back' } | { readonly kind: 'cancelled' };

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

interface Place {
  /** Of the whole flow. */
  readonly title: string;
  readonly canGoBack: boolean;
}

export interface PickOptions<T> extends Place {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** Arrives while the person reads the others, and is put before them. */
  readonly more?: Promise<readonly Choice<T>[]>;
  /** Turns what was typed, where it is no choice, into one. */
  readonly typed?: (text: string) => Choice<T> | null;
}

export interface AskOptions extends Place {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  readonly password: boolean;
  /**
   * Looks at what was entered, as long as it takes: null takes it, words are shown below the box, which stays open with what was typed.
   * The signal fires when the person goes back or gives up.
   */
  readonly check: (text: string, signal: AbortSignal) => Promise<string | null>;
}

/** How a flow asks. Each step says whether it was answered, gone back from or given up. */
export interface Prompts {
  pick<T>(options: PickOptions<T>): Promise<Step<T>>;
  ask(options: AskOptions): Promise<Step<string>>;
}

type Item<T> = vscode.QuickPickItem & { readonly choice: Choice<T> };

/** The editor's own boxes: the keyboard and screen readers work in them by themselves. */
export const editorPrompts: Prompts = {
  pick<T>(options: PickOptions<T>): Promise<Step<T>> {
    const box = vscode.window.createQuickPick<Item<T>>();
    const items = (choices: readonly Choice<T>[]): readonly Item<T>[] => choices.map((choice) => ({
      label: choice.label, choice, ...(choice.description === undefined ? {} : { description: choice.description }), ...(choice.detail === undefined ? {} : { detail: choice.detail }),
    }));
    let choices = options.choices;
    const show = (): void => {
      const typed = box.value.trim() === '' ? null : options.typed?.(box.value.trim()) ?? null;
      const isThere = choices.some(({ label }) => label === typed?.label);
      box.items = items(typed === null || isThere ? choices : [...choices, typed]);
    };
    box.title = options.title;
    box.placeholder = options.placeholder;
    box.matchOnDescription = true;
    show();
    if (options.typed !== undefined) box.onDidChangeValue(show);
    let closed = false;
    if (options.more !== undefined) {
      box.busy = true;
      void options.more.catch(() => []).then((more) => {
        if (closed) return;
        box.busy = false;
        if (more.length === 0) return;
        // What the person is at stays what it is.
        const active = box.activeItems[0]?.choice;
        choices = [...more, ...choices];
        show();
        const same = box.items.find(({ choice }) => choice === active);
        if (same !== undefined) box.activeItems = [same];
      });
    }
    return settled<T>(box, options.canGoBack, (give) => {
      box.onDidAccept(() => {
        const [chosen] = box.selectedItems;
        if (chosen !== undefined) give({ kind: 'given', value: chosen.choice.value });
      });
    }).finally(() => { closed = true; });
  },

  ask(options): Promise<Step<string>> {
    const box = vscode.window.createInputBox();
    box.title = options.title;
    box.prompt = options.prompt;
    box.placeholder = options.placeholder;
    box.value = options.value;
    box.password = options.password;
    box.onDidChangeValue(() => { box.validationMessage = undefined; });
    const ended = new AbortController();
    let checking = false;
    return settled<string>(box, options.canGoBack, (give) => {
      box.onDidAccept(async () => {
        if (checking) return;
        checking = true;
        const { value } = box;
        box.busy = true;
        box.enabled = false;
        const wrong = await options.check(value, ended.signal).catch((error: unknown) => `This could not be checked: ${error instanceof Error ? error.message : String(error)}`);
        checking = false;
        if (ended.signal.aborted) return;
        if (wrong === null) return give({ kind: 'given', value });
        box.busy = false;
        box.enabled = true;
        box.validationMessage = wrong;
      });
    }).finally(() => ended.abort());
  },
};

/** Shows a box until it is answered, gone back from or closed. It stays open when the focus goes elsewhere: what is typed would be lost. */
function settled<T>(box: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[]; onDidTriggerButton: vscode.Event<vscode.QuickInputButton> }, canGoBack: boolean, listen: (give: (step: Step<T>) => void) => void): Promise<Step<T>> {
  box.ignoreFocusOut = true;
  if (canGoBack) box.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<Step<T>>((resolve) => {
    box.onDidTriggerButton((button) => { if (button === vscode.QuickInputButtons.Back) resolve({ kind: 'back' }); });
    box.onDidHide(() => resolve({ kind: 'cancelled' }));
    listen(resolve);
    box.show();
  }).finally(() => box.dispose());
}

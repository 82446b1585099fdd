import {type ReactNode, useId, useRef, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {texts} from '../texts/texts.ts';

/** Example code that verifies a request, with the library that most receivers use. */
const verifying = `import {Webhook} from 'standardwebhooks';
// Throws when the request is not ours.
new Webhook(secret).verify(body, headers);`;

/** Shows a secret for the only time. The secret exists in the page's memory until the dialog closes. */
export function SecretOnce({
  title,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = texts.webhookChanges.secret;
  const label = useId();
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<boolean>();

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
      setCopied(false);
    }
  }

  return (
    <Dialog
      footer={
        <Button kind="first" onPress={onClose}>
          {t.done}
        </Button>
      }
      isFirm
      isOpen
      onClose={onClose}
      size="wide"
      title={title}
    >
      <div className="grid min-w-0 gap-3">
        {children}
        <p>{t.once}</p>
        <div>
          <div className="text-sm font-medium" id={label}>
            {t.label}
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <code
              aria-labelledby={label}
              className="min-w-0 grow basis-65 rounded-lg border border-edge bg-inset px-3 py-2 select-all"
              dir="ltr"
              ref={shown}
              role="note"
            >
              {secret}
            </code>
            <Button icon="copy" onPress={() => void copy()}>
              {t.copy}
            </Button>
          </div>
          <p aria-live="polite" className="min-h-4.5 text-xs text-quiet">
            {copied === true && t.copied}
            {copied === false && t.refused}
          </p>
        </div>
        <p>{t.verify}</p>
        <pre className="rounded-lg bg-inset px-3 py-2.5 text-sm whitespace-pre-wrap" dir="ltr">
          <code>{verifying}</code>
        </pre>
        <p>
          <a href="/docs" rel="noopener" target="_blank">
            {t.docs}
          </a>
        </p>
      </div>
    </Dialog>
  );
}

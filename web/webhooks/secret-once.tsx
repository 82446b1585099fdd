import {type ReactNode, useId, useRef, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {texts} from '../texts/texts.ts';
import styles from './secret-once.module.css';

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
      <div className={styles['once']}>
        {children}
        <p>{t.once}</p>
        <div>
          <div className={styles['label']} id={label}>
            {t.label}
          </div>
          <div className={styles['secret']}>
            <code aria-labelledby={label} dir="ltr" ref={shown} role="note">
              {secret}
            </code>
            <Button icon="copy" onPress={() => void copy()}>
              {t.copy}
            </Button>
          </div>
          <p aria-live="polite" className={styles['said']}>
            {copied === true && t.copied}
            {copied === false && t.refused}
          </p>
        </div>
        <p>{t.verify}</p>
        <pre dir="ltr">
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

import {useEffect, useRef, useState} from 'react';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {texts} from '../texts/texts.ts';

/** Shows the value of a new token, and how to try the token. The value cannot be shown again. */
export function MadeToken({
  made,
  onDone,
}: {
  readonly made: Schema<'CreatedAccessToken'>;
  readonly onDone: () => void;
}) {
  const t = texts.tokens.made;
  const container = useRef<HTMLElement>(null);
  useEffect(() => container.current?.focus(), [made.id]);
  const curl = `curl -sS ${location.origin}/v1/me -H "Authorization: Bearer ${made.token}"`;
  return (
    <section
      aria-labelledby="made-token"
      className="grid scroll-mt-18 justify-items-start gap-2 rounded-lg border-2 border-accent bg-card p-4"
      ref={container}
      tabIndex={-1}
    >
      <h2 id="made-token">{t.title({name: made.name})}</h2>
      <p>{t.text}</p>
      <CopyableText label={t.value} text={made.token} />
      <p>{t.try}</p>
      <CopyableText label={t.curl} text={curl} />
      <Button onPress={onDone}>{t.done}</Button>
    </section>
  );
}

function CopyableText({label, text}: {readonly label: string; readonly text: string}) {
  const t = texts.tokens.made;
  const [isCopied, setCopied] = useState<boolean>();
  const copy = async (): Promise<void> => {
    setCopied(
      await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ),
    );
  };
  return (
    <div className="grid max-w-full justify-items-start gap-1.5">
      <code aria-label={label} className="rounded-md bg-inset p-2 font-mono text-xs/5" role="group">
        {text}
      </code>
      <Button icon="copy" onPress={() => void copy()} size="small" title={t.copy({what: label})}>
        {isCopied === true ? texts.fields.copied : t.copy({what: label})}
      </Button>
      {isCopied === false && <p role="alert">{t.notCopied}</p>}
    </div>
  );
}

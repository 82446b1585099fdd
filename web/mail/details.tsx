import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Mail, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {nameMailState} from '../parts/mail-state.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatMoment} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';
import {mailQuery} from './queries.ts';
import {mayBounce} from './states.ts';

/** Shows what became of a mail and, in development, what it says. */
export function MailDetails({id, onClose}: {readonly id: string; readonly onClose: () => void}) {
  const t = texts.mail.details;
  const {data: mail, error, refetch} = useQuery(mailQuery(id));
  return (
    <Dialog isOpen onClose={onClose} title={t.title}>
      {mail === undefined && error === null && <Skeleton lines={5} />}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {mail !== undefined && (
        <div className="grid gap-4">
          <Facts mail={mail} />
          {mail.content !== null && <Content {...mail.content} />}
          {mayBounce(mail.state) && <Bounce id={id} onMarked={onClose} />}
        </div>
      )}
    </Dialog>
  );
}

function Facts({
  mail: {to, member, kind, state, code, detail, attempts, created_at, updated_at},
}: {
  readonly mail: Mail;
}) {
  const {details: t, kinds, hints} = texts.mail;
  const answer = detail ?? code?.toString();
  const facts = [
    [t.to, to],
    ...(member === null ? [] : [[t.member, member.name]]),
    [t.kind, findText(kinds, kind) ?? kind],
    [t.state, [nameMailState(state), findText(hints, state)].filter(Boolean).join('. ').replace('…. ', '… ')],
    ...(answer === undefined ? [] : [[t.answer, answer]]),
    [t.attempts, String(attempts)],
    [t.queued, formatMoment(created_at)],
    [t.changed, formatMoment(updated_at)],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {facts.map(([name, value]) => (
        <div className="contents" key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Content({subject, blocks}: NonNullable<Mail['content']>) {
  return (
    <section
      aria-label={texts.mail.details.content}
      className="grid gap-3 rounded-md bg-inset p-4 wrap-anywhere"
    >
      <h3>{subject}</h3>
      {blocks.map((block, i) => (
        // The blocks of a mail never move.
        // oxlint-disable-next-line react/no-array-index-key
        <Block block={block} key={i} />
      ))}
    </section>
  );
}

function Block({block: {type, text, label, url, title, items}}: {readonly block: Schema<'MailBlock'>}) {
  if (url !== undefined) return <a href={url}>{label}</a>;
  if (items !== undefined) {
    return (
      <div>
        <p>{title}</p>
        <ul className="list-disc ps-5">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </div>
    );
  }
  if (type === 'code') return <p className="font-mono text-lg font-semibold select-all">{text}</p>;
  if (type === 'quote') return <blockquote className="whitespace-pre-wrap">{text}</blockquote>;
  return <p className={type === 'small' ? 'text-sm text-quiet' : undefined}>{text}</p>;
}

/** Lets a person say that a mail came back, which its server cannot know. */
function Bounce({id, onMarked}: {readonly id: string; readonly onMarked: () => void}) {
  const t = texts.mail.bounce;
  const [reason, setReason] = useState('');
  const {run, isPending, problem} = useAction(async () => {
    const body = reason.trim() === '' ? {} : {detail: reason.trim()};
    await send('post', '/v1/mails/{mail}/bounce', {mail: id, body});
    onMarked();
    toast({text: t.marked});
    await invalidate('mail');
  });
  return (
    <div className="grid justify-items-start gap-3">
      <TextField hint={t.hint} isOptional label={t.reason} onChange={setReason} value={reason} />
      <Button isPending={isPending} kind="danger" onPress={() => void run()}>
        {t.mark}
      </Button>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}

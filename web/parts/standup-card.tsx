import {lazy, type ReactNode, Suspense} from 'react';
import type {Thread} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';
import {Badge} from './badge.tsx';
import {Initials} from './initials.tsx';
import {HighlightedText} from './highlighted-text.tsx';
import {Stamp} from './stamp.tsx';
import {StandupText} from './standup-text.tsx';

const ThreadBar = lazy(async () => ({default: (await import('./thread/thread-bar.tsx')).ThreadBar}));

interface CardAnswer {
  readonly question: string;
  readonly type: string;
  readonly label: string;
  readonly value: string | number | boolean | readonly string[];
}

interface StandupCardProps {
  readonly author: {
    readonly name: string;
    readonly isYou?: boolean | undefined;
    readonly zone?: string | undefined;
  };
  /** The standup as the API returns it. Without answers, the card shows the text of its update. */
  readonly standup: {
    readonly id?: string | undefined;
    /** Without it, the card has no reactions and comments. */
    readonly thread?: Thread | undefined;
    readonly update: string | null;
    readonly format?: string | undefined;
    readonly answers: readonly CardAnswer[] | null;
    readonly date: string;
    /** Null if it is unknown: no time is shown. */
    readonly created_at: string | null;
    readonly late?: boolean | undefined;
    readonly edited?: boolean | undefined;
  };
  /** The team's current questions, which order the answers. Without them, the API's order applies. */
  readonly questions?: readonly {readonly key: string}[] | undefined;
  /** The author's name as a link to their page. */
  readonly name?: ReactNode | undefined;
  readonly badges?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
  readonly isNew?: boolean | undefined;
  readonly isPending?: boolean | undefined;
  /** Shows the comments from the beginning. */
  readonly opensThread?: boolean | undefined;
}

export function StandupCard({
  author,
  standup,
  questions,
  name,
  badges,
  actions,
  children,
  isNew = false,
  isPending = false,
  opensThread,
}: StandupCardProps) {
  const answers = sortByQuestions(standup.answers ?? [], questions);
  return (
    <article
      aria-busy={isPending || undefined}
      aria-label={texts.parts.standupBy({name: author.name})}
      className="min-w-0 rounded-lg border border-line bg-card px-5 pt-4 pb-4.5 transition data-new:starting:-translate-y-2 data-new:starting:opacity-0 data-pending:border-dashed data-pending:border-edge max-sm:px-4 max-sm:pt-3 max-sm:pb-4"
      data-new={isNew || undefined}
      data-pending={isPending || undefined}
    >
      <header className="mb-3 flex items-center gap-3 [&>:first-child]:my-0.5">
        <Initials name={author.name} size={32} />
        <div className="min-w-0 flex-1">
          <span className="block font-semibold [&_a]:text-inherit [&_a]:no-underline [&_a]:underline-offset-3 [&_a:hover]:underline">
            {name ?? <bdi>{author.name}</bdi>}
            {author.isYou === true && <span className="font-normal text-quiet"> ({texts.parts.you})</span>}
          </span>
          <span className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
            {standup.created_at !== null && (
              <Stamp date={standup.date} instant={standup.created_at} zone={author.zone} />
            )}
            {standup.late === true && <Badge tone="late">{texts.parts.late}</Badge>}
            {standup.edited === true && <span>{texts.parts.edited}</span>}
            {badges}
          </span>
        </div>
        {actions !== undefined && <div className="-me-2 flex gap-1 self-start">{actions}</div>}
      </header>
      {answers.length === 0 ? (
        <StandupText format={standup.format} text={standup.update ?? ''} />
      ) : (
        <dl className="grid gap-3">
          {answers.map((answer) => (
            <div
              className={isShort(answer) ? 'flex flex-wrap items-baseline gap-x-3' : undefined}
              key={answer.question}
            >
              <dt className="text-xs/4 font-semibold text-quiet">
                <HighlightedText text={answer.label} />
              </dt>
              <dd>
                <AnswerValue {...answer} format={standup.format} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {children}
      {standup.id !== undefined && standup.thread !== undefined && !isPending && (
        <Suspense fallback={<div className="mt-3 min-h-7" />}>
          <ThreadBar author={author.name} id={standup.id} opens={opensThread} thread={standup.thread} />
        </Suspense>
      )}
    </article>
  );
}

function AnswerValue({type, value, format}: CardAnswer & {readonly format: string | undefined}) {
  const {answers} = texts.parts;
  if (typeof value === 'boolean') return value ? answers.yes : answers.no;
  if (typeof value === 'number') return type === 'mood' ? <Mood value={value} /> : value;
  if (typeof value === 'string') {
    return <StandupText format={type === 'text' ? format : undefined} text={value} />;
  }
  return (
    <span className="inline-flex flex-wrap gap-1">
      {value.map((option) => (
        <Badge key={option}>{option}</Badge>
      ))}
    </span>
  );
}

const filledDot =
  'border-accent bg-accent forced-color-adjust-none forced-colors:border-[CanvasText] forced-colors:bg-[CanvasText]';

function Mood({value}: {readonly value: number}) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="inline-flex gap-[3px]">
        {[1, 2, 3, 4, 5].map((step) => (
          <span
            className={`size-2 rounded-full border-[1.5px] ${step <= value ? filledDot : 'border-edge'}`}
            key={step}
          />
        ))}
      </span>
      {texts.parts.answers.mood({value})}
    </span>
  );
}

function isShort({value}: CardAnswer): boolean {
  return typeof value !== 'string' && (!Array.isArray(value) || value.join('').length < 40);
}

function sortByQuestions(
  answers: readonly CardAnswer[],
  questions: StandupCardProps['questions'],
): readonly CardAnswer[] {
  if (questions === undefined) return answers;
  const indices = new Map(questions.map(({key}, index) => [key, index]));
  const last = questions.length;
  return answers.toSorted((a, b) => (indices.get(a.question) ?? last) - (indices.get(b.question) ?? last));
}

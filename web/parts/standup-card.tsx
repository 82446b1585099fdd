import type {ReactNode} from 'react';
import {texts} from '../texts/texts.ts';
import {Badge} from './badge.tsx';
import {Initials} from './initials.tsx';
import {HighlightedText} from './highlighted-text.tsx';
import {Stamp} from './stamp.tsx';
import styles from './standup-card.module.css';
import {StandupText} from './standup-text.tsx';

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
  /**
   * The standup as the API returns it. The card shows its answers or, if it has none, the text of its update.
   */
  readonly standup: {
    readonly update: string | null;
    readonly answers: readonly CardAnswer[] | null;
    readonly date: string;
    readonly created_at: string;
    readonly late?: boolean | undefined;
    readonly edited?: boolean | undefined;
  };
  /**
   * The team's current questions, which determine the order of the answers. Without them, the card shows the
   * answers in the API's order.
   */
  readonly questions?: readonly {readonly key: string}[] | undefined;
  /** The author's name as a link to their page. */
  readonly name?: ReactNode | undefined;
  readonly badges?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  /** Content below the text, such as a conflict, or the blockers that the standup raised. */
  readonly children?: ReactNode | undefined;
  /** True for a standup that has just arrived. */
  readonly isNew?: boolean | undefined;
  readonly isPending?: boolean | undefined;
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
}: StandupCardProps) {
  const answers = sortByQuestions(standup.answers ?? [], questions);
  return (
    <article
      aria-busy={isPending || undefined}
      aria-label={texts.parts.standupBy({name: author.name})}
      className={styles['card']}
      data-new={isNew || undefined}
      data-pending={isPending || undefined}
    >
      <header className={styles['head']}>
        <Initials name={author.name} size={32} />
        <div className={styles['who']}>
          <span className={styles['name']}>
            {name ?? <bdi>{author.name}</bdi>}
            {author.isYou === true && <span className={styles['you']}> ({texts.parts.you})</span>}
          </span>
          <span className={styles['meta']}>
            <Stamp date={standup.date} instant={standup.created_at} zone={author.zone} />
            {standup.late === true && <Badge tone="late">{texts.parts.late}</Badge>}
            {standup.edited === true && <span>{texts.parts.edited}</span>}
            {badges}
          </span>
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {answers.length === 0 ? (
        <StandupText text={standup.update ?? ''} />
      ) : (
        <dl className={styles['answers']}>
          {answers.map((answer) => (
            <div className={styles['answer']} data-short={isShort(answer) || undefined} key={answer.question}>
              <dt>
                <HighlightedText text={answer.label} />
              </dt>
              <dd>
                <AnswerValue {...answer} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </article>
  );
}

function AnswerValue({type, value}: CardAnswer) {
  const {answers} = texts.parts;
  if (typeof value === 'boolean') return value ? answers.yes : answers.no;
  if (typeof value === 'number') return type === 'mood' ? <Mood value={value} /> : value;
  if (typeof value === 'string') return <StandupText text={value} />;
  return (
    <span className={styles['options']}>
      {value.map((option) => (
        <Badge key={option}>{option}</Badge>
      ))}
    </span>
  );
}

function Mood({value}: {readonly value: number}) {
  return (
    <span className={styles['mood']}>
      <span aria-hidden="true" className={styles['dots']}>
        {[1, 2, 3, 4, 5].map((step) => (
          <span data-on={step <= value || undefined} key={step} />
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

import {useEffect, useRef} from 'react';
import type {Schema} from '../api/schema.ts';
import {StandupText} from '../parts/standup-text.tsx';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {StatusNote} from './posting-status-note.tsx';
import {composeAnswersText} from './compose.ts';
import styles from './write.module.css';

type Content = Pick<Schema<'ShownStandup'>, 'update' | 'answers'>;

/** Shows the draft beside the saved version, until the author chooses one of them. */
export function Conflict({
  mine,
  standup,
}: {
  readonly mine: {
    readonly update: string;
    readonly answers: Content['answers'] | readonly Content['answers'][number][];
  };
  readonly standup: Schema<'ShownStandup'>;
}) {
  const {conflict} = texts.write;
  const theirs = listConflictLines(standup);
  const own = listConflictLines(mine);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  return (
    <div className={`${styles['stack']} ${styles['landing']}`} ref={container} tabIndex={-1}>
      <StatusNote icon="warning" tone="late">
        <strong>{conflict.title}.</strong> {conflict.text}
      </StatusNote>
      <div className={styles['versions']}>
        <section className={styles['version']} data-mine="">
          <h3>{conflict.mine}</h3>
          <ConflictVersion lines={own} other={theirs} />
        </section>
        <section className={styles['version']}>
          <h3>{conflict.theirs}</h3>
          <p className={`${styles['quiet']} ${styles['small']}`}>
            {conflict.by({when: formatTimeSince(standup.updated_at)})}
          </p>
          <ConflictVersion lines={theirs} other={own} />
        </section>
      </div>
    </div>
  );
}

interface ConflictLine {
  readonly label: string;
  readonly text: string;
}

function listConflictLines({
  update,
  answers,
}: {
  readonly update: string;
  readonly answers: readonly Schema<'Answer'>[];
}): readonly ConflictLine[] {
  const asked = answers.map((answer) => ({
    label: answer.label,
    text: composeAnswersText([{...answer, label: ':'}]).replace(/^:\s/, ''),
  }));
  if (answers.length > 0 && update.startsWith(composeAnswersText(answers))) {
    const rest = update.slice(composeAnswersText(answers).length).trim();
    return rest === '' ? asked : [...asked, {label: texts.write.beside, text: rest}];
  }
  const parts = update.split(/(?:^|\n\n)(Yesterday|Today|Blockers)\n/);
  if (parts[0] !== '' || parts.length < 3) return [{label: '', text: update}, ...asked];
  return parts
    .slice(1)
    .flatMap((heading, index, all) =>
      index % 2 === 0 ? [{label: heading, text: all[index + 1] ?? ''}] : [],
    );
}

function ConflictVersion({
  lines,
  other,
}: {
  readonly lines: readonly ConflictLine[];
  readonly other: readonly ConflictLine[];
}) {
  return (
    <dl className={styles['answers']}>
      {lines.map(({label, text}) => (
        <div
          data-changed={other.some((one) => one.label === label && one.text === text) ? undefined : ''}
          key={label}
        >
          <dt>{label}</dt>
          <dd>
            <StandupText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

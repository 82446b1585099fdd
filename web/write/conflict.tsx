import {useEffect, useRef} from 'react';
import type {Schema} from '../api/schema.ts';
import {StandupText} from '../parts/standup-text.tsx';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {StatusNote} from './posting-status-note.tsx';
import {composeAnswersText, convertText} from './compose.ts';

type Content = Pick<Schema<'ShownStandup'>, 'update' | 'answers' | 'format'>;

export function Conflict({
  mine,
  standup,
}: {
  readonly mine: {
    readonly update: string;
    readonly format: string;
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
    <div className="grid min-w-0 gap-5 focus:outline-none" ref={container} tabIndex={-1}>
      <StatusNote icon="warning" tone="late">
        <strong>{conflict.title}.</strong> {conflict.text}
      </StatusNote>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <section
          className="min-w-0 rounded-lg border border-accent p-3 inset-shadow-[0_3px_var(--color-accent)]"
          data-mine=""
        >
          <h3 className="font-semibold">{conflict.mine}</h3>
          <ConflictVersion lines={own} other={theirs} />
        </section>
        <section className="min-w-0 rounded-lg border border-line p-3">
          <h3 className="font-semibold">{conflict.theirs}</h3>
          <p className="text-xs text-quiet">{conflict.by({when: formatTimeSince(standup.updated_at)})}</p>
          <ConflictVersion lines={theirs} other={own} />
        </section>
      </div>
    </div>
  );
}

interface ConflictLine {
  readonly label: string;
  readonly text: string;
  readonly format: string | undefined;
}

function listConflictLines({
  update,
  answers,
  format,
}: {
  readonly update: string;
  readonly answers: readonly Schema<'Answer'>[];
  readonly format?: string | undefined;
}): readonly ConflictLine[] {
  const asked = answers.map((answer) => ({
    label: answer.label,
    text: composeAnswersText([{...answer, label: ':'}]).replace(/^:\s/, ''),
    format: answer.type === 'text' ? format : undefined,
  }));
  const composed = composeAnswersText(answers, format);
  if (answers.length > 0 && update.startsWith(composed)) {
    const rest = update.slice(composed.length).trim();
    return rest === '' ? asked : [...asked, {label: texts.write.beside, text: rest, format}];
  }
  const parts = update.split(/(?:^|\n\n)(Yesterday|Today|Blockers)\n/);
  if (parts[0] !== '' || parts.length < 3) return [{label: '', text: update, format}, ...asked];
  return parts
    .slice(1)
    .flatMap((heading, index, all) =>
      index % 2 === 0 ? [{label: heading, text: all[index + 1] ?? '', format}] : [],
    );
}

/** True if two lines read alike, also if only one of them has formatting. */
function isSameLine(one: ConflictLine, other: ConflictLine): boolean {
  const write = ({text, format}: ConflictLine) => convertText(text, format, 'markdown');
  return one.label === other.label && write(one) === write(other);
}

function ConflictVersion({
  lines,
  other,
}: {
  readonly lines: readonly ConflictLine[];
  readonly other: readonly ConflictLine[];
}) {
  return (
    <dl className="mt-2 grid gap-2">
      {lines.map(({label, text, format}) => (
        <div
          className="group"
          data-changed={other.some((one) => isSameLine(one, {label, text, format})) ? undefined : ''}
          key={label}
        >
          <dt className="text-xs text-quiet">{label}</dt>
          <dd className="group-data-changed:-ms-2 group-data-changed:border-s-2 group-data-changed:border-late group-data-changed:ps-1.5">
            <StandupText format={format} text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

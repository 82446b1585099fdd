import {type ReactNode, useId} from 'react';
import type {Problem} from '../api/problem.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import type {Section} from './use-section.ts';

/** The name and the value of a setting, as texts. */
export type Fact = readonly [name: string, value: string];

export function SectionCard({
  title,
  hint,
  anchor,
  children,
  isWide = false,
}: {
  readonly title: string;
  /** The fragment of the address that leads to the section. */
  readonly anchor?: string | undefined;
  readonly hint?: ReactNode | undefined;
  readonly children: ReactNode;
  /** Shows two columns, if there is room. */
  readonly isWide?: boolean | undefined;
}) {
  const ownId = useId();
  const id = anchor ?? ownId;
  return (
    <Card labelledBy={id}>
      <div
        className="grid gap-4 *:min-w-0 xl:data-wide:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] xl:data-wide:items-start xl:data-wide:gap-x-8"
        data-wide={isWide || undefined}
      >
        <div className="col-span-full">
          <h2 className="scroll-mt-18" id={id}>
            {title}
          </h2>
          {hint !== undefined && <p className="max-w-[64ch] text-quiet">{hint}</p>}
        </div>
        {children}
      </div>
    </Card>
  );
}

export function Facts({facts}: {readonly facts: readonly Fact[]}) {
  return (
    <dl className="grid gap-2">
      {facts.map(([name, value]) => (
        <div
          className="grid grid-cols-[minmax(120px,220px)_1fr] gap-x-4 gap-y-1 max-sm:grid-cols-1"
          key={name}
        >
          <dt className="text-quiet">{name}</dt>
          <dd className="whitespace-pre-line" dir="auto">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionFormProps<Draft> {
  readonly title: string;
  readonly anchor?: string | undefined;
  readonly hint?: ReactNode | undefined;
  readonly section: Section<Draft>;
  /** Converts settings to facts, for people who may only read them and for comparison in a conflict. */
  readonly describe: (draft: Draft) => readonly Fact[];
  readonly isReadOnly: boolean;
  /** A validation error that the page has found before it saves the draft. */
  readonly refused?: Problem | undefined;
  readonly children: ReactNode;
  /** Content shown next to the section's fields or facts. */
  readonly aside?: ReactNode | undefined;
}

export function SectionForm<Draft>(props: SectionFormProps<Draft>) {
  const {title, anchor, hint, section, describe, isReadOnly, children, aside} = props;
  const {isChanged, isPending, problem, theirs} = section;
  const t = texts.team;
  if (isReadOnly) {
    return (
      <SectionCard anchor={anchor} hint={hint} isWide={aside !== undefined} title={title}>
        <Facts facts={describe(section.draft)} />
        {aside}
      </SectionCard>
    );
  }
  return (
    <SectionCard anchor={anchor} hint={hint} isWide={aside !== undefined} title={title}>
      <Form label={title} onSubmit={() => void section.save()} problem={problem ?? props.refused}>
        <div className="grid max-w-narrow gap-5 *:min-w-0">{children}</div>
        {theirs !== undefined && <Conflict section={section} describe={describe} theirs={theirs} />}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            isDisabled={!isChanged || theirs !== undefined}
            isPending={isPending}
            kind="first"
            type="submit"
          >
            {t.save}
          </Button>
          {isChanged && (
            <>
              <Button kind="quiet" onPress={section.reset}>
                {t.discard}
              </Button>
              <span className="text-xs text-quiet" role="status">
                {t.unsaved}
              </span>
            </>
          )}
        </div>
      </Form>
      {aside}
    </SectionCard>
  );
}

/** Shows both versions of a section that two people have changed. */
function Conflict<Draft>({
  section,
  describe,
  theirs,
}: Pick<SectionFormProps<Draft>, 'section' | 'describe'> & {readonly theirs: Draft}) {
  const t = texts.team.conflict;
  const [mine, other] = [new Map(describe(section.draft)), new Map(describe(theirs))];
  const names = [...new Set([...mine.keys(), ...other.keys()])];
  const differing = names.filter((name) => mine.get(name) !== other.get(name));
  return (
    <div className="grid gap-3 rounded-lg border border-late px-4 py-3" role="alert">
      <p>{t.text}</p>
      <table className="w-full cells:border-t cells:border-line cells:py-1 cells:pe-2 cells:text-start cells:align-top cells:whitespace-pre-line [&_th]:font-normal [&_th]:text-quiet">
        <thead>
          <tr>
            <th scope="col">{t.setting}</th>
            <th scope="col">{t.mine}</th>
            <th scope="col">{t.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td dir="auto">{mine.get(name) ?? '–'}</td>
              <td dir="auto">{other.get(name) ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex flex-wrap items-center gap-2">
        <Button onPress={section.keepMine} size="small">
          {t.keepMine}
        </Button>
        <Button onPress={section.reset} size="small">
          {t.takeTheirs}
        </Button>
      </div>
    </div>
  );
}

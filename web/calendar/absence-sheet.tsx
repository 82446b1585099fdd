import {newKey} from '../api/new-key.ts';
import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {Problem} from '../api/problem.ts';
import type {Absence, Me, Member} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {DatePicker} from '../parts/date-picker.tsx';
import {DateRangePicker} from '../parts/date-range-picker.tsx';
import {fieldErrorDetail} from '../parts/field-error.ts';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {bindFields} from '../parts/form.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {Select} from '../parts/select.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {texts} from '../texts/texts.ts';
import {
  type AbsenceDraft,
  absenceLimits,
  toAbsenceDraft,
  findAbsenceError,
  buildInitialAbsenceDraft,
  findLastDay,
  type AbsenceFormContent,
  listTeamChoices,
  setDraftDays,
  setDraftPerson,
} from './absence-form.ts';
import {AbsenceRead} from './absence-read.tsx';
import {changeAbsence, createAbsence, deleteAbsence} from './changes.ts';
import {addDays, daysBetween} from '../parts/days.ts';
import {absenceQuery, memberAbsencesQuery} from './queries.ts';
import {mayChangeAbsence, mayEnterAbsencesFor} from './rights.ts';
import {describeAbsence} from './wording.ts';

interface SheetProps {
  readonly me: Me;
  readonly opened: AbsenceFormContent;
  readonly people: readonly Member[];
  readonly team: string | undefined;
  readonly today: string;
  readonly onClose: () => void;
}

export function AbsenceSheet(props: SheetProps) {
  const {me, opened} = props;
  if ('absence' in opened) {
    const {absence} = opened;
    return mayChangeAbsence(me, absence) ? (
      <EditAbsence {...props} absence={absence} />
    ) : (
      <AbsenceRead absence={absence} onClose={props.onClose} />
    );
  }
  return <EnterAbsence {...props} given={opened} />;
}

function EnterAbsence({
  given,
  ...props
}: SheetProps & {
  readonly given: {readonly person?: string; readonly from?: string; readonly until?: string};
}) {
  const {me, today, team, onClose} = props;
  const t = texts.calendar.form;
  const first = buildInitialAbsenceDraft(me, given, {team, today});
  const [kept, setDraft, dropDraft] = useDraft<AbsenceDraft>('absence', first);
  const [isTouched, setTouched] = useState(false);
  // Days just selected in the month view take the place of the days in the stored draft.
  const draft = given.from === undefined || isTouched ? kept : {...first, reason: kept.reason};
  const [key, setKey] = useState(() => newKey());
  const {run, isPending, problem} = useAction(() => createAbsence(me.principal.id, draft, key));

  async function submit(): Promise<void> {
    if ((await run()) === undefined) return;
    dropDraft();
    toast({text: t.added});
    onClose();
  }

  return (
    <AbsenceForm
      {...props}
      draft={draft}
      isPending={isPending}
      onChange={(next) => {
        setTouched(true);
        setKey(newKey());
        setDraft(next);
      }}
      onDrop={dropDraft}
      onSubmit={() => void submit()}
      problem={problem}
      submit={t.add}
      title={t.titleNew}
    />
  );
}

function EditAbsence({absence, ...props}: SheetProps & {readonly absence: Absence}) {
  const {me, onClose} = props;
  const t = texts.calendar.form;
  const draftKey = `absence:${absence.id}`;
  const [draft, setDraft, dropDraft] = useDraft<AbsenceDraft>(draftKey, toAbsenceDraft(absence));
  const [base, setBase] = useState(absence);
  const {data: newest, error, refetch} = useQuery({...absenceQuery(absence.id), initialData: absence});
  const isGone = error instanceof Problem && error.status === 404;
  const isChanged = newest.revision > base.revision;
  const {run, isPending, problem, reset} = useAction(() => changeAbsence(base, draft));

  async function submit(): Promise<void> {
    if ((await run()) === undefined) {
      await refetch();
      return;
    }
    dropDraft();
    toast({text: t.changed});
    onClose();
  }

  function continueWithDraft(next: AbsenceDraft): void {
    reset();
    setBase(newest);
    setDraft(next);
  }

  return (
    <AbsenceForm
      {...props}
      draft={draft}
      isPending={isPending}
      more={
        <Button
          kind="danger"
          onPress={() => {
            dropDraft();
            onClose();
            void deleteAbsence(me.principal.id, newest);
          }}
        >
          {t.delete}
        </Button>
      }
      note={
        isGone ? (
          <p className={noteClass} role="alert">
            {t.gone}
          </p>
        ) : (
          isChanged && (
            <div className={`grid gap-2 ${noteClass}`} role="alert">
              <p>{t.changedMeanwhile({now: describeAbsence(newest)})}</p>
              <div className="flex flex-wrap gap-2">
                <Button onPress={() => continueWithDraft(draft)} size="small">
                  {t.keepMine}
                </Button>
                <Button onPress={() => continueWithDraft(toAbsenceDraft(newest))} size="small">
                  {t.takeTheirs}
                </Button>
              </div>
            </div>
          )
        )
      }
      onChange={setDraft}
      onDrop={dropDraft}
      onSubmit={() => void submit()}
      problem={isChanged ? undefined : problem}
      self={absence.id}
      submit={t.save}
      title={t.titleEdit}
      memberName={absence.member.name}
    />
  );
}

interface AbsenceFormProps extends SheetProps {
  readonly title: string;
  readonly submit: string;
  readonly draft: AbsenceDraft;
  readonly onChange: (draft: AbsenceDraft) => void;
  readonly onSubmit: () => void;
  readonly onDrop: () => void;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
  readonly self?: string;
  /** Name of the absent person, if the form offers no choice of people. */
  readonly memberName?: string;
  readonly note?: React.ReactNode;
  readonly more?: React.ReactNode;
}

function AbsenceForm(props: AbsenceFormProps) {
  const {title, submit, draft, onChange, onSubmit, onDrop, isPending, problem, memberName, note, more} =
    props;
  const {me, people, today, onClose} = props;
  const t = texts.calendar.form;
  const [isAsked, setAsked] = useState(false);
  const absenceError = isAsked ? findAbsenceError(draft) : undefined;
  const {teams, all} = listTeamChoices(me, draft.person);
  const set = (change: Partial<AbsenceDraft>): void => onChange({...draft, ...change});
  const {field} = bindFields(draft, set);
  const others = people.filter(({id}) => id !== me.principal.id && mayEnterAbsencesFor(me, id));
  const daysError =
    absenceError === 'missingDays'
      ? t.missingDays
      : absenceError === 'tooLong'
        ? t.tooLong({days: daysBetween(draft.from ?? '', draft.until ?? '') + 1})
        : fieldErrorDetail(problem, 'from', 'until');
  const bounds = {min: addDays(today, -absenceLimits.back), max: addDays(today, absenceLimits.ahead)};
  const last = findLastDay(draft);
  const isPast = last !== null && last < today;

  function send(): void {
    setAsked(true);
    if (findAbsenceError(draft) === undefined) onSubmit();
  }

  return (
    <FormOverlay
      action={more}
      cancel={t.cancel}
      isPending={isPending}
      onCancel={() => {
        onDrop();
        onClose();
      }}
      onClose={onClose}
      onSubmit={send}
      problem={problem}
      submit={submit}
      title={title}
      variant="sheet"
    >
      {note}
      {memberName !== undefined ? (
        <PersonName isYou={draft.person === me.principal.id} name={memberName} />
      ) : (
        others.length > 0 && (
          <Select
            label={t.person}
            name="member"
            onChange={(person) => onChange(setDraftPerson(draft, me, person))}
            options={[
              {id: me.principal.id, label: texts.calendar.me({name: me.principal.name})},
              ...others.map(({id, name}) => ({id, label: name})),
            ]}
            value={draft.person}
          />
        )
      )}
      <RadioGroup
        label={t.kind}
        onChange={(kind) => set({kind, ...(kind === 'skip' && {hasNoEnd: false})})}
        options={(['away', 'skip'] as const).map((kind) => ({
          id: kind,
          label: t.kinds[kind].name,
          hint: t.kinds[kind].hint,
        }))}
        value={draft.kind}
      />
      {draft.kind === 'away' && !draft.hasNoEnd ? (
        <DateRangePicker
          {...bounds}
          error={daysError}
          label={t.days}
          onChange={(span) => onChange(setDraftDays(draft, span))}
          value={draft.from === null || draft.until === null ? null : {from: draft.from, until: draft.until}}
        />
      ) : (
        <DatePicker
          {...bounds}
          error={daysError}
          label={draft.kind === 'skip' ? t.day : t.from}
          onChange={(from) => set({from, until: from})}
          value={draft.from}
        />
      )}
      {draft.kind === 'away' && (
        <CheckBox
          hint={t.noEndHint}
          isSelected={draft.hasNoEnd}
          label={t.noEnd}
          onChange={(hasNoEnd) => set({hasNoEnd, until: hasNoEnd ? null : draft.from})}
        />
      )}
      <OverlappingAbsences draft={draft} self={props.self} />
      {isPast && <p className="text-xs text-quiet">{t.past}</p>}
      {(teams.length > 1 || !all || draft.team !== '') && (
        <Select
          hint={all ? undefined : t.leadHint}
          label={t.teamOf}
          name="team"
          onChange={(team) => set({team: team === everyone ? '' : team})}
          options={[
            ...(all ? [{id: everyone, label: t.allTeams}] : []),
            ...teams.map(({slug, name}) => ({id: slug, label: name})),
            ...(draft.team === '' || teams.some(({slug}) => slug === draft.team)
              ? []
              : [{id: draft.team, label: draft.team}]),
          ]}
          value={draft.team === '' ? everyone : draft.team}
        />
      )}
      <TextField
        {...field('reason')}
        hint={t.reasonHint}
        isOptional
        label={t.reason}
        maxLength={absenceLimits.reason}
      />
    </FormOverlay>
  );
}

const everyone = '-';

const noteClass =
  'rounded-lg border border-late bg-[color-mix(in_srgb,var(--color-card),var(--color-late)_8%)] px-3 py-2.5';

/** Lists other absences of the person on the chosen days. The service accepts overlapping absences. */
function OverlappingAbsences({
  draft,
  self,
}: {
  readonly draft: AbsenceDraft;
  readonly self: string | undefined;
}) {
  const {person, from, hasNoEnd} = draft;
  const last = findLastDay(draft);
  const isComplete = from !== null && (hasNoEnd || last !== null) && (last === null || last >= from);
  const {data = []} = useQuery({...memberAbsencesQuery(person, from ?? '', last), enabled: isComplete});
  const others = data.filter(({id}) => id !== self);
  if (!isComplete || others.length === 0) return null;
  return (
    <p className={noteClass} role="status">
      {texts.calendar.form.overlaps({days: others.map(describeAbsence).join('; ')})}
    </p>
  );
}

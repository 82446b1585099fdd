import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {saveDraft} from '../api/drafts.ts';
import {queryClient} from '../api/queries.ts';
import type {Question, Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Sheet} from '../parts/sheet.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useNow} from '../parts/use-now.ts';
import {dateInZone, formatDay, formatList, formatTimeWithDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {canShareForm, hasTexts, type Value} from './compose.ts';
import {DayChoice} from './day-choice.tsx';
import {DraftNote} from './draft-note.tsx';
import {convertDraft, type StandupDraft, hasInputToKeep, buildNewStandupDraftKey, useDraft} from './draft.ts';
import type {InsertDraft} from './insert-draft.ts';
import {OpenBlockers} from './open-blockers.tsx';
import {forgetDelivery} from './outbox.ts';
import {postStandup} from './post.ts';
import {PostKeys} from './post-keys.tsx';
import {PreparedDraft} from './prepared-draft.tsx';
import {PreviewButton} from './preview-button.tsx';
import {lastStandupQuery, ownTeamsQuery} from './queries.ts';
import {skipDayWithUndo} from './skip-day.ts';
import {PostingStatusNote} from './posting-status-note.tsx';
import {describeErrors, groupServiceErrorsByField, StandupForm} from './standup-form.tsx';
import {TeamChoice} from './team-choice.tsx';
import {useOwnBlockers} from './use-blockers.ts';
import {type Goal, useGoals} from './use-goals.ts';
import {useDelivery, useOpenPanel} from './use-panel.ts';
import {layOutNewForm} from './lay-out.ts';
import {LinkButton} from './link-button.tsx';

interface NewStandupProps {
  readonly me: Schema<'Me'>;
  readonly teams: readonly Schema<'Team'>[];
  readonly first: string;
  readonly onClose: () => void;
}

const mostTeams = 10;

export function NewStandup({me, teams: own, first, onClose}: NewStandupProps) {
  const draftKey = buildNewStandupDraftKey(first);
  const now = useNow(20_000);
  const openPanel = useOpenPanel();
  const delivery = useDelivery(draftKey);
  const {
    draft,
    isFound,
    isKept,
    change: changeDraft,
    startOver,
  } = useDraft(draftKey, {
    teams: [first],
    format: 'markdown',
  });
  const [isPreview, setPreview] = useState(false);
  const [tries, setTries] = useState(0);
  const [isWrong, setWrong] = useState(false);

  const teams = own.filter(({slug}) => draft.teams.includes(slug));
  const goals = useGoals(teams, me, draft, now);
  const dates = [...new Set(goals.map(({date}) => date))];
  const date = dates.length === 1 ? dates[0] : undefined;
  const blockers = useOwnBlockers(teams);
  const only = teams.length === 1 ? teams[0] : undefined;
  const {data: last, isPending} = useQuery({
    ...lastStandupQuery(only?.slug, goals[0]?.date ?? ''),
    placeholderData: (before) => before,
  });
  const {
    fields,
    values,
    hints,
    said: content,
    fieldErrors,
    leftover,
  } = layOutNewForm({
    draft,
    teams,
    last,
    date: goals[0]?.date ?? '',
  });

  const refusal = delivery?.is === 'refused' ? delivery : undefined;
  const errors = {
    ...groupServiceErrorsByField(refusal?.problem, refusal?.body, fields),
    ...(isWrong && describeErrors(fieldErrors, fields)),
  };
  const skipping = useAction(() => skipDayWithUndo(only?.slug ?? first, goals[0]?.date ?? ''));
  const refused = goals.filter(({postingStatus}) => postingStatus?.is === 'refused');

  const change = (given: Partial<StandupDraft>): void => {
    const known = goals.filter(({ownDate}) => ownDate !== '');
    changeDraft({days: Object.fromEntries(known.map(({team, ownDate}) => [team.slug, ownDate])), ...given});
  };
  const onChange = (id: string, value: Value): void => {
    const without = Object.entries(draft.values).filter(
      ([key]) => id !== '+beside' || leftover.every(({question}) => question !== key),
    );
    change({
      values: {...Object.fromEntries(without), [id]: value},
      questions: addTeamQuestions(draft.questions, teams),
    });
  };
  const insert = (insertDraft: InsertDraft): void =>
    change({
      values: {...draft.values, ...insertDraft(fields, values, content.format)},
      questions: addTeamQuestions(draft.questions, teams),
    });
  const submit = (): void => {
    setTries(tries + 1);
    setWrong(fieldErrors.size > 0);
    if (fieldErrors.size > 0) setPreview(false);
    if (fieldErrors.size > 0 || refused.length > 0 || teams.length === 0) return;
    const answers = content.answers.map(({question, value}) => ({question, value}));
    const slugs = teams.map(({slug}) => slug);
    postStandup({
      draftKey,
      memberId: me.principal.id,
      draft,
      said: content,
      body: {
        ...(only === undefined ? {teams: slugs} : {team: only.slug}),
        ...(content.given !== undefined && {update: content.given}),
        ...(content.format === 'markdown' && {format: content.format}),
        ...(answers.length > 0 && {answers}),
        ...(content.blockers !== undefined && {blockers: content.blockers}),
        ...(draft.resolved.length > 0 && {resolved: [...draft.resolved]}),
        ...(date !== undefined && date !== '' && {date}),
      },
      goals: goals.map(({team, date: day, postingStatus}) => ({
        slug: team.slug,
        name: team.name,
        date: day,
        late: postingStatus?.is === 'late',
      })),
      reopen: () => {
        void queryClient.invalidateQueries(ownTeamsQuery);
        openPanel({write: first});
      },
    });
    onClose();
  };
  const close = (): void => {
    if (hasInputToKeep(draft)) toast({text: texts.write.draftKept});
    if (refusal !== undefined) forgetDelivery(draftKey);
    onClose();
  };
  const over = (): void => {
    const dropped = draft;
    forgetDelivery(draftKey);
    startOver();
    setWrong(false);
    toast({
      text: texts.write.dropped,
      undo: () => {
        saveDraft(draftKey, dropped);
        openPanel({});
        openPanel({write: first});
      },
    });
  };
  const skip = async (): Promise<void> => {
    if ((await skipping.run()) !== undefined) onClose();
  };
  const status = goals[0]?.postingStatus;
  const maySkip = only !== undefined && !(status?.is === 'free' && status.status !== 'not_expected');
  const latest = goals
    .flatMap(({team, date: day, posted}) => posted.map((standup) => ({team, day, standup})))
    .at(-1);
  return (
    <Sheet
      footer={
        <>
          {maySkip && goals[0]?.posted.length === 0 && goals[0].date !== '' && (
            <span className="-ms-3.5 me-auto">
              <Button isPending={skipping.isPending} kind="quiet" onPress={() => void skip()}>
                {goals[0].date === dateInZone(now)
                  ? texts.write.skip
                  : texts.write.skipDay({day: formatDay(goals[0].date)})}
              </Button>
            </span>
          )}
          {content.format === 'markdown' && hasTexts(fields) && (
            <PreviewButton isPreview={isPreview} onChange={setPreview} />
          )}
          <Button
            aria-keyshortcuts="Control+Enter Meta+Enter"
            isPending={delivery?.is === 'sending'}
            kind="first"
            onPress={submit}
          >
            {texts.write.post}
            <PostKeys />
          </Button>
        </>
      }
      isOpen
      onClose={close}
      title={texts.write.title}
    >
      <StandupForm
        errors={errors}
        fields={isPending ? [] : fields}
        format={content.format}
        hints={hints}
        isPreview={isPreview}
        onChange={onChange}
        onFormat={() => {
          change({format: 'markdown', values: convertDraft(draft, 'markdown').values});
          setPreview(true);
        }}
        onSubmit={submit}
        problem={skipping.problem ?? refusal?.problem}
        top={
          <div className="grid min-w-0 gap-3">
            <DraftNote {...{draft, isFound, isKept, delivery, now}} onStartOver={over} />
            {own.length > 1 && (
              <div data-field="teams">
                <TeamChoice
                  chosen={draft.teams}
                  error={errors['teams']}
                  onChange={(chosen) =>
                    change({teams: own.flatMap(({slug}) => (chosen.includes(slug) ? [slug] : []))})
                  }
                  teams={own.map((team) => ({...team, hindrance: findReasonAgainstTeam(team, teams)}))}
                />
              </div>
            )}
            <DayChoice
              chosen={draft.date}
              error={errors['date']}
              goals={goals}
              isOnlyTeam={own.length === 1}
              isOpen={refused.length > 0}
              now={now}
              ofNow={goals[0]?.dateNow ?? ''}
              onChange={(chosen) => change({date: chosen})}
            />
            {goals.map(({team, postingStatus}) =>
              postingStatus === undefined ? null : (
                <PostingStatusNote
                  key={team.id}
                  now={now}
                  postingStatus={postingStatus}
                  zone={team.timezone}
                  team={goals.length > 1 ? team.name : undefined}
                />
              ),
            )}
            {latest !== undefined && (
              <PostedStandup
                {...latest}
                isOnlyOne={only !== undefined}
                onEdit={(edit) => openPanel({edit})}
              />
            )}
            {!isPending && only !== undefined && !hasInputToKeep(draft) && delivery === undefined && (
              <PreparedDraft date={goals[0]?.date ?? ''} onInsert={insert} team={only.slug} />
            )}
            {leftover.length > 0 && <p className="text-quiet">{texts.write.leftover}</p>}
            <TeamsWithoutQuestionsNote teams={teams} />
          </div>
        }
        team={teams[0]?.slug}
        tries={tries}
        values={values}
      >
        {isPending && <Skeleton lines={8} />}
        <OpenBlockers
          blockers={isPending ? [] : blockers}
          onChange={(resolved) => change({resolved})}
          resolved={draft.resolved}
        />
      </StandupForm>
    </Sheet>
  );
}

function PostedStandup({
  team,
  day,
  standup: {id, created_at},
  isOnlyOne,
  onEdit,
}: {
  readonly team: Schema<'Team'>;
  readonly day: string;
  readonly standup: Goal['posted'][number];
  readonly isOnlyOne: boolean;
  readonly onEdit: (standup: string) => void;
}) {
  if (id.startsWith('std_pending')) return null;
  const time = formatTimeWithDay(created_at, day);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-quiet">
      <span>{isOnlyOne ? texts.write.already({time}) : texts.write.alreadyTo({team: team.name, time})}</span>
      <LinkButton onClick={() => onEdit(id)}>{texts.write.editThat}</LinkButton>
    </p>
  );
}

function TeamsWithoutQuestionsNote({teams}: {readonly teams: readonly Schema<'Team'>[]}) {
  const asking = teams.filter(({questions}) => questions.length > 0);
  const others = teams.filter(({questions}) => questions.length === 0);
  if (asking.length === 0 || others.length === 0) return null;
  return (
    <p className="text-quiet">
      {texts.write.asText({teams: formatList(others.map(({name}) => name)), amount: others.length})}
    </p>
  );
}

/** Adds the chosen teams' questions to earlier ones, since the draft may still answer those. */
function addTeamQuestions(
  before: readonly Question[],
  teams: readonly Schema<'Team'>[],
): readonly Question[] {
  const known = new Map(before.map((question) => [question.key, question]));
  for (const question of teams.flatMap(({questions}) => questions)) known.set(question.key, question);
  return [...known.values()].slice(-50);
}

function findReasonAgainstTeam(team: Schema<'Team'>, chosen: readonly Schema<'Team'>[]): string | undefined {
  if (chosen.some(({id}) => id === team.id)) return undefined;
  const {teamHint} = texts.write;
  if (chosen.length >= mostTeams) return teamHint.most;
  return chosen.every((one) => canShareForm(one.questions, team.questions)) ? undefined : teamHint.other;
}

import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {dropDraft, saveDraft} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import {teamQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Sheet} from '../parts/sheet.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useNow} from '../parts/use-now.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {hasTexts, readFormat} from './compose.ts';
import {Conflict} from './conflict.tsx';
import {DraftNote} from './draft-note.tsx';
import {
  beginDraft,
  convertDraft,
  type StandupDraft,
  buildEditDraftKey,
  findDraft,
  hasInputToKeep,
  mergeDrafts,
  buildNewStandupDraftKey,
  useDraft,
} from './draft.ts';
import {EarlierVersions} from './earlier.tsx';
import {convertValues, layOutEditForm} from './lay-out-edit.ts';
import {OpenBlockers} from './open-blockers.tsx';
import {forgetDelivery} from './outbox.ts';
import {PostKeys} from './post-keys.tsx';
import {PreviewButton} from './preview-button.tsx';
import {standupQuery} from './queries.ts';
import {saveEdit} from './save.ts';
import {describeErrors, groupServiceErrorsByField, StandupForm} from './standup-form.tsx';
import {useOwnBlockers} from './use-blockers.ts';
import {useDelivery, useOpenPanel} from './use-panel.ts';

interface EditStandupProps {
  readonly id: string;
  readonly me: Schema<'Me'>;
  readonly onClose: () => void;
}

export function EditStandup({id, me, onClose}: EditStandupProps) {
  const {data: standup, error, refetch} = useQuery(standupQuery(id));
  const {data: team, error: teamError} = useQuery({
    ...teamQuery(standup?.team_id ?? ''),
    enabled: standup !== undefined,
  });
  const isGone = error instanceof Problem && error.status === 404;
  if (standup !== undefined && !isGone && standup.author.id !== me.principal.id) {
    return (
      <Sheet isOpen onClose={onClose} title={texts.write.titleEdit}>
        <Empty {...texts.write.notYours} />
      </Sheet>
    );
  }
  if (isGone) return <DeletedStandup id={id} onClose={onClose} standup={standup} team={team} />;
  if (standup !== undefined && (team !== undefined || teamError !== null)) {
    return <EditForm onClose={onClose} standup={standup} team={team} />;
  }
  return (
    <Sheet isOpen onClose={onClose} title={texts.write.titleEdit}>
      {error === null ? (
        <Skeleton lines={8} />
      ) : (
        <ProblemNote onRetry={() => void refetch()} problem={error} />
      )}
    </Sheet>
  );
}

interface EditFormProps {
  readonly standup: Schema<'ShownStandup'>;
  readonly team: Schema<'Team'> | undefined;
  readonly onClose: () => void;
}

function EditForm({standup, team, onClose}: EditFormProps) {
  const {id, revision} = standup;
  const draftKey = buildEditDraftKey(id);
  const now = useNow(20_000);
  const openPanel = useOpenPanel();
  const delivery = useDelivery(draftKey);
  const {draft: held, isFound, isKept, change, startOver} = useDraft(draftKey, {revision});
  const [isPreview, setPreview] = useState(false);
  const [tries, setTries] = useState(0);
  const [isWrong, setWrong] = useState(false);
  const blockers = useOwnBlockers(team === undefined ? [] : [team]);

  // Slack or a program may have given the standup formatting since the draft was begun.
  const draft = held.format === 'plain' ? convertDraft(held, standup.format) : held;
  const format = draft.format ?? readFormat(standup.format);
  const isTouched = hasInputToKeep(draft);
  const laidOut = layOutEditForm(standup, draft.values, team?.questions ?? [], format);
  const {fields, values, said: content, fieldErrors} = laidOut;
  const isConflict = isTouched && draft.revision !== revision && delivery?.is !== 'sending';
  const refusal = delivery?.is === 'refused' && delivery.problem.status !== 412 ? delivery : undefined;
  const errors = {
    ...groupServiceErrorsByField(refusal?.problem, refusal?.body, fields),
    ...(isWrong && describeErrors(fieldErrors, fields)),
  };

  const set = (given: Partial<StandupDraft>): void =>
    change({...(!isTouched && {revision}), format, values: draft.values, ...given});
  const saveAt = (base: number): void => {
    setTries(tries + 1);
    setWrong(fieldErrors.size > 0);
    if (fieldErrors.size > 0) return setPreview(false);
    if (!isTouched) return onClose();
    saveEdit({
      draftKey,
      draft,
      standup,
      edit: {
        change: {...laidOut.change, ...(draft.resolved.length > 0 && {resolved: [...draft.resolved]})},
        revision: base,
      },
      said: content,
      reopen: () => openPanel({edit: id}),
    });
    onClose();
  };
  const submit = (): void => {
    if (!isConflict) saveAt(draft.revision ?? revision);
  };
  const putAside = (text: string): void => {
    const dropped = draft;
    forgetDelivery(draftKey);
    startOver();
    setWrong(false);
    toast({
      text,
      undo: () => {
        saveDraft(draftKey, dropped);
        openPanel({});
        openPanel({edit: id});
      },
    });
  };
  const close = (): void => {
    if (isTouched) toast({text: texts.write.draftKept});
    if (refusal !== undefined) forgetDelivery(draftKey);
    onClose();
  };
  const title = texts.write.titleEdit;
  if (isConflict) {
    return (
      <Sheet
        footer={
          <>
            <Button
              onPress={() => {
                putAside(texts.write.conflict.took);
                onClose();
              }}
            >
              {texts.write.conflict.takeTheirs}
            </Button>
            <Button onPress={() => set({revision})}>{texts.write.conflict.editOn}</Button>
            <Button kind="first" onPress={() => saveAt(revision)}>
              {texts.write.conflict.keepMine}
            </Button>
          </>
        }
        isOpen
        onClose={close}
        title={title}
      >
        <Conflict mine={content} standup={standup} />
      </Sheet>
    );
  }
  return (
    <Sheet
      footer={
        <>
          {format === 'markdown' && hasTexts(fields) && (
            <PreviewButton isPreview={isPreview} onChange={setPreview} />
          )}
          <Button
            aria-keyshortcuts="Control+Enter Meta+Enter"
            isPending={delivery?.is === 'sending'}
            kind="first"
            onPress={submit}
          >
            {texts.write.save}
            <PostKeys />
          </Button>
        </>
      }
      isOpen
      onClose={close}
      title={title}
    >
      <StandupForm
        errors={errors}
        fields={fields}
        format={format}
        isPreview={isPreview}
        onChange={(key, value) => set({values: {...draft.values, [key]: value}})}
        onFormat={() => {
          set({format: 'markdown', values: convertValues(fields, values, format, 'markdown')});
          setPreview(true);
        }}
        onSubmit={submit}
        problem={refusal?.problem}
        top={
          <div className="grid min-w-0 gap-3">
            <DraftNote
              {...{draft, isFound, isKept, delivery, now}}
              onStartOver={() => putAside(texts.write.dropped)}
            />
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-semibold">
                <bdi>{team?.name ?? standup.team}</bdi> · {formatDay(standup.date, {weekday: 'long'})}
              </span>
            </p>
          </div>
        }
        team={standup.team}
        tries={tries}
        values={values}
      >
        <OpenBlockers
          blockers={blockers.filter(({standup: source}) => source !== id)}
          onChange={(resolved) => set({resolved})}
          resolved={draft.resolved}
        />
        <EarlierVersions standup={standup} />
      </StandupForm>
    </Sheet>
  );
}

interface GoneProps {
  readonly id: string;
  /** The standup as last read; undefined if it was never read. */
  readonly standup: Schema<'ShownStandup'> | undefined;
  readonly team: Schema<'Team'> | undefined;
  readonly onClose: () => void;
}

/** Shown when the standup was deleted during the edit: the typed text can become a new standup. */
function DeletedStandup({id, standup, team, onClose}: GoneProps) {
  const {gone, titleEdit} = texts.write;
  const openPanel = useOpenPanel();
  const draftKey = buildEditDraftKey(id);
  const {values: typed = {}, format: written} = findDraft(draftKey) ?? {};
  const startNewStandup = (): void => {
    if (standup !== undefined) {
      const format = written ?? readFormat(standup.format);
      const {values} = layOutEditForm(standup, typed, team?.questions ?? [], format);
      const fresh = beginDraft({values, format, teams: [standup.team], questions: team?.questions ?? []});
      saveDraft(
        buildNewStandupDraftKey(standup.team),
        mergeDrafts(fresh, findDraft(buildNewStandupDraftKey(standup.team))),
      );
      dropDraft(draftKey);
    }
    openPanel({write: standup?.team ?? ''});
  };
  return (
    <Sheet isOpen onClose={onClose} title={titleEdit}>
      <div className="grid min-w-0 gap-5">
        <Empty
          action={<Button onPress={startNewStandup}>{gone.another}</Button>}
          text={gone.text}
          title={gone.title}
        />
        {Object.entries(typed).map(([field, text]) => (
          <p className="rounded-lg bg-inset p-3 whitespace-pre-wrap" key={field}>
            {String(text)}
          </p>
        ))}
      </div>
    </Sheet>
  );
}

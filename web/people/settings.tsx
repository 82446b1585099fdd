import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {Link} from '@tanstack/react-router';
import {meQuery, queryClient, invalidate} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {ComboBox} from '../parts/combo-box.tsx';
import {hasFeature} from '../parts/features.ts';
import {DownloadStatus} from '../parts/download-status.tsx';
import {useDownload} from '../parts/download.ts';
import {bindFields, Form} from '../parts/form.tsx';
import {buildMemberExport} from '../parts/member-export.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {RegionFields} from '../parts/region-fields.tsx';
import {mayUse} from '../parts/rights.ts';
import {Select} from '../parts/select.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {listZones} from '../parts/zones.ts';
import {hasSlack} from '../parts/has-slack.ts';
import {texts} from '../texts/texts.ts';
import {
  channelOrders,
  noticeReasons,
  type PreferenceFields,
  toPreferenceFields,
  buildPreferencesPatch,
  promptTimes,
  slackStatusChoices,
} from './choices.ts';
import type {PersonProfile} from './found-person.ts';
import {Notifications} from './notifications.tsx';
import {memberQuery} from './queries.ts';

const CalendarFeeds = lazy(async () => ({
  default: (await import('./calendar-feeds.tsx')).CalendarFeeds,
}));

export function Settings({person}: {readonly person: PersonProfile}) {
  const {data: me} = useQuery(meQuery);
  const {settings: t} = texts.people;
  const mayChange = mayUse(me, 'members:write');
  return (
    <div className="grid max-w-narrow gap-4 [&_h2]:mb-3">
      {person.member === undefined || !mayChange ? (
        <p className="text-quiet">{t.noScope}</p>
      ) : (
        <PreferencesForm member={person.member} />
      )}
      {person.member !== undefined && <Notifications person={person.id} />}
      {person.member !== undefined && <CalendarSubscription />}
      {person.member !== undefined && <OwnDataExport id={person.id} />}
      <p>
        <Link to="/sessions">{t.sessions}</Link>
      </p>
    </div>
  );
}

function PreferencesForm({member}: {readonly member: Schema<'Member'>}) {
  const kept = toPreferenceFields(member);
  const [typed, setTyped, dropDraft] = useDraft<Partial<PreferenceFields>>('own-settings', {});
  const choices: PreferenceFields = {...kept, ...typed};
  const change = buildPreferencesPatch(kept, choices);
  const {settings: t} = texts.people;
  const set = (next: Partial<PreferenceFields>): void => setTyped({...typed, ...next});
  const {field, check} = bindFields(choices, set);
  const forget = (): void => {
    setTyped({});
    dropDraft();
  };
  const {run, isPending, problem, reset} = useAction((body: Schema<'MemberChange'>) =>
    send('patch', '/v1/members/{member}', {member: member.id, body}),
  );
  const save = async (): Promise<void> => {
    if (change === undefined) return;
    const changed = await run(change);
    if (changed === undefined) return;
    queryClient.setQueryData(memberQuery(member.id).queryKey, changed);
    void invalidate('member');
    forget();
    toast({text: t.saved});
  };
  const aboutQuiet = problem?.errors.find(({pointer}) => pointer === '#/reminders')?.detail;
  return (
    <Card labelledBy="own-choices">
      <h2 id="own-choices">{t.heading}</h2>
      <Form onSubmit={save} problem={problem}>
        <TextField {...field('name')} autoComplete="name" label={t.name} maxLength={80} />
        <ComboBox
          {...field('timezone')}
          hint={member.timezone_source === 'slack' ? t.zoneFromSlack : t.zoneHint}
          label={t.zone}
          options={listZones(choices.timezone)}
          placeholder={t.teamZone}
        />
        <fieldset className="grid min-w-0 gap-3">
          <legend className="mb-1 font-semibold">{t.reminders}</legend>
          {!hasSlack() && !hasFeature('mail') && <p className="text-quiet">{texts.fields.noReminders}</p>}
          <CheckBox {...check('isReminded', 'reminders/enabled')} label={t.enabled} />
          <Select
            {...field('promptAt', 'reminders/prompt_at')}
            isDisabled={!choices.isReminded}
            label={t.promptAt}
            options={promptTimes.map((id) => ({id, label: t.promptTimes[id]}))}
          />
          {hasFeature('mail') && (
            <Select
              {...field('channels', 'reminders/channels')}
              isDisabled={!choices.isReminded}
              label={t.channels}
              options={channelOrders.map((id) => ({id, label: t.channelOrders[id]}))}
            />
          )}
          <div className="grid grid-cols-[repeat(auto-fit,minmax(136px,1fr))] items-start gap-3">
            <TextField
              {...field('quietFrom', 'reminders/quiet_from')}
              error={choices.quietFrom === '' ? aboutQuiet : undefined}
              isDisabled={!choices.isReminded}
              label={t.quietFrom}
              type="time"
            />
            <TextField
              {...field('quietUntil', 'reminders/quiet_until')}
              error={choices.quietFrom === '' ? undefined : aboutQuiet}
              isDisabled={!choices.isReminded}
              label={t.quietUntil}
              type="time"
            />
          </div>
          <p className="text-quiet">{t.quietHint}</p>
        </fieldset>
        {hasSlack() && member.slack_user_id !== null && (
          <Select
            {...field('slackStatus', 'slack_status')}
            hint={t.slackStatusHint}
            label={t.slackStatus}
            options={slackStatusChoices.map((id) => ({id, label: t.slackStatusChoices[id]}))}
          />
        )}
        {(hasSlack() || hasFeature('mail')) && (
          <fieldset className="grid min-w-0 gap-3">
            <legend className="mb-1 font-semibold">{t.notify}</legend>
            {noticeReasons.map((reason) => (
              <CheckBox {...check(reason, `notify/${reason}`)} key={reason} label={t.reasons[reason]} />
            ))}
            <p className="text-quiet">{t.notifyHint}</p>
          </fieldset>
        )}
        {hasFeature('mail') && (
          <fieldset className="grid min-w-0 gap-3">
            <legend className="mb-1 font-semibold">{t.reports}</legend>
            <CheckBox {...check('daily', 'reports/daily')} label={t.daily} />
            <CheckBox {...check('weekly', 'reports/weekly')} label={t.weekly} />
            <CheckBox {...check('notices', 'reports/notices')} label={t.notices} />
          </fieldset>
        )}
        <fieldset className="grid min-w-0 gap-3">
          <legend className="mb-1 font-semibold">{t.holidays}</legend>
          <RegionFields onChange={set} value={{country: choices.country, region: choices.region}} />
        </fieldset>
        {problem !== undefined && <ProblemNote onRetry={save} problem={problem} />}
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button isDisabled={change === undefined} isPending={isPending} kind="first" type="submit">
            {t.save}
          </Button>
          {change !== undefined && (
            <Button
              onPress={() => {
                forget();
                reset();
              }}
            >
              {t.discard}
            </Button>
          )}
        </div>
      </Form>
    </Card>
  );
}

function CalendarSubscription() {
  const {calendar: t} = texts.people.settings;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card labelledBy="own-calendar">
      <h2 id="own-calendar">{t.title}</h2>
      <p className="mb-3">{t.text}</p>
      {isOpen ? (
        <Suspense fallback={<Skeleton lines={2} />}>
          <CalendarFeeds />
        </Suspense>
      ) : (
        <Button icon="calendar" onPress={() => setOpen(true)}>
          {t.open}
        </Button>
      )}
    </Card>
  );
}

function OwnDataExport({id}: {readonly id: string}) {
  const {state, run, cancel} = useDownload();
  const {settings: t} = texts.people;
  const start = (): void => void run(buildMemberExport(id));
  return (
    <Card labelledBy="own-data">
      <h2 id="own-data">{t.data}</h2>
      <p>{t.dataText}</p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {state.kind === 'running' ? (
          <Button onPress={cancel}>{texts.history.export.cancel}</Button>
        ) : (
          <Button icon="download" onPress={start}>
            {t.download}
          </Button>
        )}
        <DownloadStatus onRetry={start} state={state} />
      </div>
    </Card>
  );
}

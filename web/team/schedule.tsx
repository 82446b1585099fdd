import {useState} from 'react';
import type {Problem} from '../api/problem.ts';
import type {Team} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {CheckBox, CheckBoxGroup} from '../parts/check-box.tsx';
import {bindFields} from '../parts/form.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {NumberField} from '../parts/number-field.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {Select} from '../parts/select.tsx';
import {TextField} from '../parts/text-field.tsx';
import {hasFeature} from '../parts/features.ts';
import {hasSlack} from '../parts/has-slack.ts';
import {formatCity} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Preview} from './preview.tsx';
import {
  sortWeekdays,
  nths,
  type ScheduleDraft,
  scheduleSection,
  describeSchedule,
  weekdays,
} from './schedule-draft.ts';
import {SectionForm} from './section.tsx';
import {TemplateChoice} from './template-choice.tsx';
import {fitsTemplate, scheduleTemplateNames, scheduleTemplates} from './templates.ts';
import {useSection} from './use-section.ts';

const fieldsInRows = 'grid grid-cols-[repeat(auto-fit,minmax(min(180px,100%),240px))] items-start gap-4';
const mostReminders = 5;
const mostWeeks = 12;

export function ScheduleSection({team, isReadOnly}: {readonly team: Team; readonly isReadOnly: boolean}) {
  const section = useSection(team, scheduleSection);
  const [refused, setRefused] = useState<Problem>();
  const {draft, change} = section;
  const {field, check} = bindFields(draft, change);
  const t = texts.team.schedule;
  return (
    <SectionForm
      aside={
        <Preview
          draft={draft}
          isChanged={section.isChanged}
          isPaused={team.paused}
          onRefused={setRefused}
          team={team}
        />
      }
      anchor="schedule"
      hint={isReadOnly ? undefined : t.hint}
      isReadOnly={isReadOnly}
      refused={refused}
      section={section}
      describe={(given) => describeSchedule(given, team.timezone)}
      title={t.title}
    >
      <TemplateChoice
        isChosen={(name) => fitsTemplate(draft, name)}
        label={t.startFrom}
        labels={t.templates}
        names={scheduleTemplateNames}
        onChoose={(name) => change(scheduleTemplates[name])}
      />
      <RadioGroup
        {...field('kind', 'schedule/frequency')}
        label={t.kind}
        options={(['weekly', 'monthly', 'none'] as const).map((kind) => ({id: kind, label: t.kinds[kind]}))}
      />
      {draft.kind !== 'none' && (
        <>
          <Frequency draft={draft} change={change} />
          <TimeFields draft={draft} change={change} timezone={team.timezone} />
          <ReminderFields draft={draft} change={change} />
        </>
      )}
      <Select
        {...field('promptAt', 'prompt_at')}
        hint={t.promptHint}
        label={t.promptAt}
        options={(['before_closing', 'opening', 'both'] as const).map((id) => ({
          id,
          label: t.promptTimes[id],
        }))}
      />
      <CheckBox {...check('paused')} hint={t.pausedHint} label={t.paused} />
    </SectionForm>
  );
}

interface ScheduleFieldsProps {
  readonly draft: ScheduleDraft;
  readonly change: (change: Partial<ScheduleDraft>) => void;
}

function Frequency({draft, change}: ScheduleFieldsProps) {
  const t = texts.team.schedule;
  const {field} = bindFields(draft, change);
  if (draft.kind === 'monthly') {
    return (
      <div className={fieldsInRows}>
        <Select
          {...field('nth', 'schedule/nth')}
          label={t.nth}
          options={nths.map((nth) => ({id: nth, label: t.nths[nth]}))}
        />
        <Select
          {...field('day', 'schedule/day')}
          label={t.day}
          options={weekdays.map((day) => ({id: day, label: t.weekdays[day]}))}
        />
      </div>
    );
  }
  return (
    <>
      <CheckBoxGroup
        isRow
        label={t.days}
        name="schedule/days"
        onChange={(days) => change({days: sortWeekdays(days)})}
        value={[...draft.days]}
      >
        {weekdays.map((day) => (
          <CheckBox key={day} label={t.weekdays[day]} value={day} />
        ))}
      </CheckBoxGroup>
      <div className={fieldsInRows}>
        <NumberField
          label={t.interval}
          maxValue={mostWeeks}
          minValue={1}
          name="schedule/interval"
          onChange={(interval) => Number.isFinite(interval) && change({interval})}
          value={draft.interval}
        />
      </div>
    </>
  );
}

function TimeFields({draft, change, timezone}: ScheduleFieldsProps & {readonly timezone: string}) {
  const t = texts.team.schedule;
  const {field} = bindFields(draft, change);
  return (
    <>
      <div className={fieldsInRows}>
        <TextField {...field('opens', 'schedule/opens')} label={t.opens} type="time" />
        <TextField {...field('closes', 'schedule/closes')} hint={t.closesHint} label={t.closes} type="time" />
        <TextField
          hint={t.startsOnHint}
          isOptional
          label={t.startsOn}
          name="schedule/starts_on"
          onChange={(startsOn) => change({startsOn: startsOn === '' ? null : startsOn})}
          type="date"
          value={draft.startsOn ?? ''}
        />
      </div>
      <RadioGroup
        {...field('clock', 'schedule/clock')}
        label={t.clock}
        options={[
          {id: 'team', label: t.clocks.team({zone: formatCity(timezone)}), hint: t.clockHints.team},
          {id: 'member', label: t.clocks.member, hint: t.clockHints.member},
        ]}
      />
    </>
  );
}

function ReminderFields({draft, change}: ScheduleFieldsProps) {
  const t = texts.team.schedule;
  const {reminders} = draft;
  const put = (next: readonly number[]): void => change({reminders: next});
  return (
    <fieldset className="grid gap-2">
      <legend className="font-medium">{t.reminders}</legend>
      <p className="text-xs text-quiet">
        {hasSlack() || hasFeature('mail') ? t.remindersHint : texts.fields.noReminders}
      </p>
      {reminders.map((minutes, index) => (
        // The key is the reminder's position, since two reminders may be equal until one is corrected.
        // eslint-disable-next-line react/no-array-index-key
        <div className="flex items-start gap-1" key={index}>
          <NumberField
            isLabelHidden
            label={t.reminder({position: index + 1})}
            minValue={1}
            name={`schedule/reminders/${index}`}
            onChange={(next) =>
              Number.isFinite(next) && put(reminders.map((one, i) => (i === index ? next : one)))
            }
            value={minutes}
          />
          <IconButton
            icon="trash"
            label={t.removeReminder({position: index + 1})}
            onPress={() => put(reminders.filter((_, i) => i !== index))}
          />
        </div>
      ))}
      {reminders.length < mostReminders && (
        <div>
          <Button icon="plus" onPress={() => put([...reminders, proposeReminder(reminders)])} size="small">
            {t.addReminder}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Proposes a reminder time, in minutes, that is not in the list yet. */
function proposeReminder(reminders: readonly number[]): number {
  return [30, 15, 60, 10, 5, 45].find((minutes) => !reminders.includes(minutes)) ?? 20;
}

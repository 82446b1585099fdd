import {useQuery} from '@tanstack/react-query';
import type {Problem} from '../api/problem.ts';
import {CheckBox, CheckBoxGroup} from '../parts/check-box.tsx';
import {bindFields} from '../parts/form.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {teamsQuery} from '../parts/standups/team-name.tsx';
import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import type {HeaderValues, WebhookDraft} from './draft.ts';
import {EventPicker} from './event-picker.tsx';
import {Within} from './within.tsx';

export interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly values: HeaderValues;
  readonly onChange: (change: Partial<WebhookDraft>, values?: HeaderValues) => void;
  readonly problem: Problem | undefined;
  /** True after a first attempt to submit, so that missing input is reported. */
  readonly isAsked: boolean;
}

/** The fields that every webhook needs: URL, event types and teams. */
export function FirstFields({draft, onChange}: WebhookFieldsProps) {
  const {field} = bindFields(draft, onChange);
  const t = texts.webhookChanges.fields;
  return (
    <>
      <TextField
        {...field('url')}
        hint={t.urlHint}
        inputMode="url"
        label={t.url}
        placeholder="https://"
        spellCheck="false"
        type="text"
      />
      <TextField {...field('description')} hint={t.descriptionHint} isOptional label={t.description} />
      <div className="grid min-w-0 gap-2">
        <RadioGroup
          label={t.events}
          name="events"
          onChange={(id) => onChange({everyEvent: id === 'every'})}
          options={[
            {id: 'every', label: t.everyEvent, hint: t.everyEventHint},
            {id: 'some', label: t.someEvents},
          ]}
          value={draft.everyEvent ? 'every' : 'some'}
        />
        {!draft.everyEvent && <EventPicker events={draft.events} onChange={(events) => onChange({events})} />}
      </div>
      <div className="grid min-w-0 gap-2">
        <RadioGroup
          label={t.teams}
          name="teams"
          onChange={(id) => onChange({everyTeam: id === 'every'})}
          options={[
            {id: 'every', label: t.everyTeam, hint: t.everyTeamHint},
            {id: 'some', label: t.someTeams, hint: t.someTeamsHint},
          ]}
          value={draft.everyTeam ? 'every' : 'some'}
        />
        {!draft.everyTeam && <TeamFields chosen={draft.teams} onChange={(teams) => onChange({teams})} />}
      </div>
    </>
  );
}

function TeamFields({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (teams: readonly string[]) => void;
}) {
  const t = texts.webhookChanges.fields;
  const {data} = useQuery(teamsQuery);
  const teams = data?.data ?? [];
  // A chosen team can be removed even if it was deleted, or is not among the first hundred teams.
  const unknown = chosen.filter((id) => data !== undefined && teams.every((team) => team.id !== id));
  return (
    <Within>
      <CheckBoxGroup
        hint={data?.has_more === true ? t.moreTeams : undefined}
        isLabelHidden
        label={t.teams}
        onChange={onChange}
        value={[...chosen]}
      >
        {[...teams.map(({id, name}) => ({id, name})), ...unknown.map((id) => ({id, name: id}))].map(
          ({id, name}) => (
            <CheckBox key={id} label={<bdi>{name}</bdi>} value={id} />
          ),
        )}
      </CheckBoxGroup>
    </Within>
  );
}

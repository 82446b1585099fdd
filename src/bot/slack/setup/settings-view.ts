import type {ModalView} from '@slack/types';
import {modal} from '../blocks/inputs.js';
import {views} from '../blocks/names.js';
import {section} from '../blocks/shapes.js';
import type {Texts} from '../../texts/translation.js';
import {presentTeamFields, type TeamFormData} from './team-form.js';
import {type Id, storedId} from '../../../domain/core/ids.js';

/** The metadata of the settings form: the team's state when the form was opened. */
export interface SettingsMemo {
  /** The id of the team. */
  readonly team: Id<'team'>;
  readonly revision: number;
  readonly channel: string | null;
  /** The Slack ids of the team's members; undefined if there were too many to show. */
  readonly before: readonly string[] | undefined;
  /** The Slack ids of the team's leads; undefined if there were too many to show. */
  readonly leads: readonly string[] | undefined;
  /** True if a lead is not in Slack. */
  readonly ledElsewhere: boolean;
  /** The person's own time zone, which an empty search for time zones lists first. */
  readonly own: string;
}

export interface SettingsNotes {
  /** A warning above the fields. */
  readonly warning?: string | undefined;
  /** The names of members who are not in Slack, as far as they are shown. */
  readonly elsewhere?: readonly string[] | undefined;
}

export function presentSettings(
  texts: Texts,
  data: TeamFormData,
  memo: SettingsMemo,
  {warning, elsewhere = []}: SettingsNotes = {},
): ModalView {
  const {setup} = texts;
  const {settings: title, saveChanges: submit, cancel: close} = setup;
  return modal({name: views.settings, metadata: JSON.stringify(memo), title, submit, close}, [
    ...(warning === undefined ? [] : [section(warning)]),
    ...presentTeamFields(texts, data, {isNew: false}),
    ...(elsewhere.length === 0 ? [] : [section(setup.elsewhere({names: elsewhere.join(', ')}))]),
  ]);
}

/** Parses the metadata of a settings form; undefined if the metadata is not from this service. */
export function readSettingsMemo(metadata: string): SettingsMemo | undefined {
  try {
    const {team, revision, channel, before, leads, ledElsewhere, own} = JSON.parse(metadata) as Record<
      string,
      unknown
    >;
    if (typeof team !== 'string' || typeof revision !== 'number') return undefined;
    return {
      team: storedId(team),
      revision,
      channel: typeof channel === 'string' ? channel : null,
      before: Array.isArray(before) ? before.map(String) : undefined,
      leads: Array.isArray(leads) ? leads.map(String) : undefined,
      ledElsewhere: ledElsewhere === true,
      own: typeof own === 'string' ? own : 'UTC',
    };
  } catch {
    return undefined;
  }
}

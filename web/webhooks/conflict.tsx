import {useQuery} from '@tanstack/react-query';
import {Button} from '../parts/button.tsx';
import {teamsQuery} from '../parts/standups/team-name.tsx';
import {texts} from '../texts/texts.ts';
import {findDifferingSettings, type SettingName, type WebhookDraft} from './draft.ts';

export function Conflict({
  base,
  mine,
  theirs,
  onKeepMine,
  onTakeTheirs,
}: {
  readonly base: WebhookDraft;
  readonly mine: WebhookDraft;
  readonly theirs: WebhookDraft;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}) {
  const t = texts.webhookChanges.settings;
  const {data: teams} = useQuery(teamsQuery);
  const nameOf = (team: string): string => teams?.data.find(({id}) => id === team)?.name ?? team;
  const own = findDifferingSettings(base, mine);
  return (
    <div className="grid gap-2.5 rounded-lg border border-late bg-late/8 px-3.5 py-3" role="alert">
      <h3 className="font-bold">{t.conflict}</h3>
      <p>{t.conflictText}</p>
      <div className="overflow-x-auto">
        <table className="w-full text-sm/[18px] cells:border-t cells:border-line cells:py-1.5 cells:pe-3 cells:text-start cells:align-top [&_thead_th]:border-0 [&_thead_th]:text-quiet">
          <thead>
            <tr>
              <th scope="col">{t.setting}</th>
              <th scope="col">{t.mine}</th>
              <th scope="col">{t.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {findDifferingSettings(base, theirs).map((name) => (
              <tr key={name}>
                <th scope="row">{t.names[name] ?? name}</th>
                <td>
                  {own.includes(name) ? (
                    <bdi>{describeSetting(name, mine, nameOf)}</bdi>
                  ) : (
                    <i>{t.untouched}</i>
                  )}
                </td>
                <td>
                  <bdi>{describeSetting(name, theirs, nameOf)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button onPress={onKeepMine} size="small">
          {t.keepMine}
        </Button>
        <Button onPress={onTakeTheirs} size="small">
          {t.takeTheirs}
        </Button>
      </div>
    </div>
  );
}

function describeSetting(name: SettingName, draft: WebhookDraft, nameOf: (team: string) => string): string {
  const {settings: t, fields} = texts.webhookChanges;
  const list = (items: readonly string[]): string => (items.length === 0 ? t.nothing : items.join(', '));
  switch (name) {
    case 'url':
      return draft.url;
    case 'description':
      return draft.description === '' ? t.nothing : draft.description;
    case 'events':
      return draft.everyEvent ? fields.everyEvent : list(draft.events);
    case 'teams':
      return draft.everyTeam ? fields.everyTeam : list(draft.teams.map(nameOf));
    case 'headers':
      return list(draft.headers.map((header) => header.name));
    case 'enabled':
      return draft.enabled ? t.on : t.off;
    case 'concurrency':
      return String(draft.concurrency ?? t.nothing);
    case 'throttle':
      return draft.isThrottled
        ? t.throttle({max: draft.max ?? 0, seconds: draft.perSeconds ?? 0})
        : t.nothing;
    case 'retry_schedule':
      return draft.retry === 'own' ? draft.waits : fields.retries[draft.retry].name;
    case 'ordering':
      return fields.orderings[draft.ordering].name;
    case 'payload':
      return fields.payloads[draft.payload].name;
    case 'plain_text':
      return draft.plainText ? t.on : t.off;
    case 'signature_versions':
      return draft.hasPublicKey ? 'v1, v1a' : 'v1';
    case 'tls':
      return fields.tlsKinds[draft.tls].name;
  }
}

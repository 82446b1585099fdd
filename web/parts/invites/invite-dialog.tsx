import {useQuery} from '@tanstack/react-query';
import {useId, useRef, useState} from 'react';
import {newKey} from '../../api/new-key.ts';
import {invalidate, meQuery} from '../../api/queries.ts';
import type {Schema} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {getCurrentLanguage, isLanguage, languages, texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {CheckBox, CheckBoxGroup} from '../check-box.tsx';
import {ConfirmFirst} from '../confirm-first.tsx';
import {Dialog} from '../dialog.tsx';
import {hasFeature} from '../features.ts';
import {Form} from '../form.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {RadioGroup} from '../radio-group.tsx';
import {managesWorkspace} from '../rights.ts';
import {findTeamsQuery} from '../search-queries.ts';
import {Select} from '../select.tsx';
import {listProviders} from '../sign-in-ways.ts';
import {TextArea} from '../text-area.tsx';
import {TextField} from '../text-field.tsx';
import {toast} from '../toast.ts';
import {useAction} from '../use-action.ts';
import {parseAddresses} from './addresses.ts';
import {CreatedLinks, isMailed} from './created-links.tsx';
import type {OfferedTeam} from './requests.ts';

interface InviteDialogProps {
  /** The slug of the team that is chosen first. */
  readonly team: string | undefined;
  /** Addresses that are filled in. */
  readonly typed?: string | undefined;
  readonly onClose: () => void;
}

/** Creates invites, and then shows their links once, for the person to send. */
export function InviteDialog({team, typed = '', onClose}: InviteDialogProps) {
  const {data: me} = useQuery(meQuery);
  const [created, setCreated] = useState<{made: Schema<'CreatedInvites'>; teams: readonly OfferedTeam[]}>();
  const t = texts.invites;
  const title = created?.made.data.length ? t.created({isMailed: isMailed(created.made)}) : t.title;
  const showCreated = (made: Schema<'CreatedInvites'>, teams: readonly OfferedTeam[]): void => {
    if (!isMailed(made) || made.skipped.length > 0) return setCreated({made, teams});
    toast({text: t.sent({count: made.data.length})});
    onClose();
  };
  return (
    <Dialog isFirm={created !== undefined} isOpen onClose={onClose} title={title}>
      {created !== undefined && <CreatedLinks {...created} onDone={onClose} />}
      {created === undefined && me !== undefined && (
        <InviteForm first={typed} me={me} onCreated={showCreated} team={team} />
      )}
    </Dialog>
  );
}

/** The largest number of teams from which a person who runs the workspace chooses. */
const mostTeams = 100;

function InviteForm({
  first,
  me,
  team,
  onCreated,
}: {
  readonly first: string;
  readonly me: Schema<'Me'>;
  readonly team: string | undefined;
  readonly onCreated: (made: Schema<'CreatedInvites'>, teams: readonly OfferedTeam[]) => void;
}) {
  const t = texts.invites;
  const form = useId();
  const isManager = managesWorkspace(me);
  const all = useQuery({...findTeamsQuery('', mostTeams), enabled: isManager});
  const led = me.teams?.filter(({role}) => role === 'lead') ?? [];
  const offered: readonly OfferedTeam[] = isManager ? (all.data?.data ?? me.teams ?? []) : led;
  const [way, setWay] = useState<'addresses' | 'link'>('addresses');
  const [typed, setTyped] = useState(first);
  const [chosen, setChosen] = useState<readonly string[]>();
  const [role, setRole] = useState<'member' | 'admin'>('member');
  const [domain, setDomain] = useState('');
  const [locale, setLocale] = useState(getCurrentLanguage);
  const asked = useRef({said: '', key: ''});
  const isLink = way === 'link';
  const isMailed = hasFeature('mail') && !hasFeature('mail-kept');
  const [only] = offered;
  const slugs = chosen ?? (team === undefined ? (offered.length === 1 && only ? [only.slug] : []) : [team]);
  const teams = offered.filter(({slug}) => slugs.includes(slug));
  const addresses = parseAddresses(typed);
  const onlyDomain = domain.trim().replace(/^@/, '');
  const {run, isPending, problem} = useAction(async () => {
    const body: Schema<'NewInvite'> = {
      teams: teams.map(({id}) => ({team_id: id})),
      ...(isLink ? onlyDomain !== '' && {email_domain: onlyDomain} : {emails: [...addresses], role, locale}),
    };
    const said = JSON.stringify(body);
    if (asked.current.said !== said) asked.current = {said, key: newKey()};
    onCreated(await send('post', '/v1/invites', {body, key: asked.current.key}), teams);
    await invalidate('invite');
  });
  const isReady = (isLink || addresses.length > 0) && (isManager || teams.length > 0);
  const submit = (
    <Button form={form} isDisabled={!isReady} isPending={isPending} kind="first" type="submit">
      {t.create({isLink, isMailed})}
    </Button>
  );
  return (
    <Form id={form} onSubmit={() => isReady && !isPending && void run()} problem={problem}>
      <RadioGroup
        label={t.way}
        onChange={setWay}
        options={(['addresses', 'link'] as const).map((id) => ({
          id,
          label: t.ways[id],
          hint: id === 'link' ? t.wayHints.link : t.wayHints.addresses({isMailed}),
        }))}
        value={way}
      />
      {!isLink && (
        <TextArea
          autoFocus
          hint={t.emailsHint}
          label={t.emails}
          name="emails"
          onChange={setTyped}
          spellCheck="false"
          value={typed}
        />
      )}
      {/* Only a code or a provider proves an address. */}
      {isLink && (hasFeature('codes') || listProviders().length > 0) && (
        <TextField
          hint={t.domainHint}
          isOptional
          label={t.domain}
          maxLength={253}
          name="email_domain"
          onChange={setDomain}
          spellCheck="false"
          value={domain}
        />
      )}
      {offered.length > 0 && (
        <div className="max-h-60 overflow-auto">
          <CheckBoxGroup
            hint={all.data?.has_more === true ? t.moreTeams({teams: mostTeams}) : t.teamsHint}
            label={t.teams}
            onChange={setChosen}
            value={[...slugs]}
          >
            {offered.map(({slug, name}) => (
              <CheckBox key={slug} label={name} value={slug} />
            ))}
          </CheckBoxGroup>
        </div>
      )}
      {me.role === 'owner' && !isLink && (
        <RadioGroup
          label={t.role}
          onChange={setRole}
          options={(['member', 'admin'] as const).map((id) => ({
            id,
            label: t.roles[id],
            hint: t.roleHints[id],
          }))}
          value={role}
        />
      )}
      {!isLink && hasFeature('mail') && (
        <Select
          label={t.language}
          name="locale"
          onChange={setLocale}
          options={Object.entries(languages).flatMap(([id, label]) => (isLanguage(id) ? [{id, label}] : []))}
          value={locale}
        />
      )}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={() => void run()} />}
      <div>
        {role === 'admin' && !isLink ? <ConfirmFirst scope="tokens:manage">{submit}</ConfirmFirst> : submit}
      </div>
    </Form>
  );
}

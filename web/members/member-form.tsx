import {newKey} from '../api/new-key.ts';
import {useRef} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Member, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {bindFields} from '../parts/form.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {hasSlack} from '../parts/has-slack.ts';
import {listProviders} from '../parts/sign-in-ways.ts';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {texts} from '../texts/texts.ts';
import {mayManageRole} from './rights.ts';
import {roles} from './search.ts';
import {buildMemberPatch, toNewMember, type MemberFields, toMemberFields} from './member-fields.ts';
import {formatList} from '../texts/format.ts';

interface MemberFormProps {
  readonly me: Schema<'Me'>;
  /** The member to change; undefined for a new member. */
  readonly member?: Member;
  readonly onAdded?: (member: Member) => void;
  readonly onClose: () => void;
}

export function MemberForm({me, member, onAdded, onClose}: MemberFormProps) {
  const t = texts.members.form;
  const before = toMemberFields(member);
  // The draft holds only changed fields, so other people's changes to the other fields are kept.
  const [changes, setChanges, forget] = useDraft<Partial<MemberFields>>(`member:${member?.id ?? 'new'}`, {});
  const typed = {...before, ...changes};
  const asked = useRef({said: '', key: ''});
  const {field} = bindFields(typed, (change) => setChanges({...changes, ...change}));
  const {run, isPending, problem} = useAction(async () => {
    if (member === undefined) {
      const body = toNewMember(typed);
      const said = JSON.stringify(body);
      if (asked.current.said !== said) asked.current = {said, key: newKey()};
      return send('post', '/v1/members', {key: asked.current.key, body});
    }
    const {id, revision} = member;
    return send('patch', '/v1/members/{member}', {
      member: id,
      revision,
      body: buildMemberPatch(member, typed),
    });
  });

  async function submit(): Promise<void> {
    const saved = await run();
    // Loads another person's change, so that the next try uses the new revision.
    await invalidate('member');
    if (saved === undefined) return;
    forget();
    onClose();
    if (member === undefined) onAdded?.(saved);
    else toast({text: t.changed({name: saved.name})});
    if (saved.id === me.principal.id) await invalidate('member');
  }

  const cancel = (): void => {
    forget();
    onClose();
  };
  const cures: Readonly<Record<string, string>> = t.cures;
  const isChanged = JSON.stringify(typed) !== JSON.stringify(before);
  const isReady = typed.name.trim() !== '' && (isChanged || member?.role === 'owner');
  const offered = roles.filter((role) => mayManageRole(me, role) || before.role === role);
  return (
    <FormOverlay
      cure={problem && cures[problem.code]}
      isPending={isPending}
      isReady={isReady}
      onCancel={cancel}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      submit={member === undefined ? t.submitNew : t.submit}
      title={member === undefined ? t.add : t.change({name: member.name})}
      variant="sheet"
    >
      <TextField {...field('name')} autoComplete="off" autoFocus label={t.name} maxLength={80} />
      <TextField
        {...field('email')}
        autoComplete="off"
        hint={
          typed.role === 'owner' && member !== undefined
            ? t.confirmHint({slackUser: member.slack_user_id})
            : describeEmailUse()
        }
        label={t.email}
        maxLength={320}
        type="email"
      />
      <RadioGroup
        {...field('role')}
        hint={mayManageRole(me, 'owner') ? undefined : t.ownerHint}
        label={texts.members.role}
        options={offered.map((id) => ({id, label: texts.members.roles[id], hint: t.roleHints[id]}))}
      />
    </FormOverlay>
  );
}

/** Describes what the e-mail address is for, by the ways to sign in that this installation has. */
function describeEmailUse(): string {
  const {emailHints: say} = texts.members.form;
  const providers = listProviders().map(({name}) => name);
  const uses = [
    ...(providers.length > 0 ? [say.provider({names: formatList(providers, 'disjunction')})] : []),
    ...(hasSlack() ? [say.slack] : []),
  ];
  return uses.length > 0 ? uses.join(' ') : say.link;
}

import {lazy, Suspense, useState} from 'react';
import {loadTexts, texts} from '../../texts/texts.ts';
import {Button, type ButtonProps} from '../button.tsx';

const InviteDialog = lazy(async () => {
  const [{InviteDialog: dialog}] = await Promise.all([import('./invite-dialog.tsx'), loadTexts('more')]);
  return {default: dialog};
});

/** Opens the dialog that invites people. `team`: the slug of the team that it offers first. */
export function InviteButton({team, kind}: {readonly team?: string} & Pick<ButtonProps, 'kind'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="plus" kind={kind} onPress={() => setOpen(true)}>
        {texts.parts.invite}
      </Button>
      {isOpen && (
        <Suspense>
          <InviteDialog onClose={() => setOpen(false)} team={team} />
        </Suspense>
      )}
    </>
  );
}

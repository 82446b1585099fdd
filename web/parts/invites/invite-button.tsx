import {type ComponentProps, lazy, Suspense, useState} from 'react';
import {loadTexts, texts} from '../../texts/texts.ts';
import {Button, type ButtonProps} from '../button.tsx';

const Dialog = lazy(async () => {
  const [{InviteDialog}] = await Promise.all([import('./invite-dialog.tsx'), loadTexts('more')]);
  return {default: InviteDialog};
});

/** The dialog that invites people, loaded when it is first shown. */
export function LazyInviteDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}

interface InviteButtonProps extends Pick<ButtonProps, 'kind'> {
  /** The slug of the team that the dialog offers first. */
  readonly team?: string | undefined;
  /** The text of a search without a match. The button names it, and the dialog takes it if it is an address. */
  readonly sought?: string | undefined;
}

/** Opens the dialog that invites people. */
export function InviteButton({team, sought, kind}: InviteButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="plus" kind={kind} onPress={() => setOpen(true)}>
        {sought === undefined ? texts.parts.invite : texts.invites.sought({name: sought})}
      </Button>
      {isOpen && (
        <LazyInviteDialog
          onClose={() => setOpen(false)}
          team={team}
          typed={sought?.includes('@') === true ? sought : undefined}
        />
      )}
    </>
  );
}

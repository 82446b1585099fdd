import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {words} from '../words/words.ts';

/** In place of a page that cannot be rendered, so that a fault of ours is no blank page. */
export function Broken() {
  const {title, text, cure} = words.frame.broken;
  return (
    <main>
      <Empty
        action={
          <Button kind="first" onPress={() => location.reload()}>
            {cure}
          </Button>
        }
        text={text}
        title={title}
      />
    </main>
  );
}

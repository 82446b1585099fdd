import {Overlay, type OverlayProps} from './overlay.tsx';

/** A modal panel that slides in over the page from the inline end. */
export function Sheet(props: OverlayProps) {
  return <Overlay {...props} variant="sheet" />;
}

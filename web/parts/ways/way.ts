/** The properties of each way to sign in. */
export interface WayProps {
  /** The page to which the person comes back, below /app. */
  readonly to: string;
  /** True if the person is signed in, and confirms that it is them. */
  readonly confirms: boolean;
  /** True if the person can get a code by mail: to confirm, they need an address. */
  readonly byMail: boolean;
  /** Called when this browser has the new session. */
  readonly onSignedIn: () => void;
}

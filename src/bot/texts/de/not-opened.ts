export const notOpened =
  'Slack hat das Formular nicht geöffnet. Bitte versuche es erneut. Wenn es weiter fehlschlägt, bitte deinen Betreiber, die Verbindung zu Slack zu prüfen.';

export const team = {
  title: 'Team settings',
};

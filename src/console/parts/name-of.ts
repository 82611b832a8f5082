// How a user is called everywhere.

export const nameOf = ({ name, email }: { name: string | null; email: string }): string => name ?? email;

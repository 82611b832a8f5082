// The name of a user everywhere in the console.

export const nameOf = ({ name, email }: { name: string | null; email: string }): string => name ?? email;

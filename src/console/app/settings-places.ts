// The pages of the settings, in their groups: for their list, and for the command palette.

import { defineTexts } from '../i18n/language.js';

/** Administrators see these beside the profile. */
export const settingsGroups = [
  { name: 'ofCompany', pages: ['company', 'sending', 'consent', 'assistants', 'users'] },
  { name: 'connections', pages: ['keys', 'webhooks', 'sources', 'audit'] },
] as const;

export const settingsPlaceTexts = defineTexts({
  en: {
    profile: 'Profile',
    ofCompany: 'Company',
    connections: 'Connections',
    company: 'Company',
    sending: 'Sending',
    consent: 'Consent',
    assistants: 'Assistants',
    users: 'Users',
    keys: 'API key',
    webhooks: 'Webhooks',
    sources: 'Lead sources',
    audit: 'Audit log',
  },
  pt: {
    profile: 'Perfil',
    ofCompany: 'Empresa',
    connections: 'Conexões',
    company: 'Empresa',
    sending: 'Envio',
    consent: 'Consentimento',
    assistants: 'Assistentes',
    users: 'Usuários',
    keys: 'Chave da API',
    webhooks: 'Webhooks',
    sources: 'Fontes de leads',
    audit: 'Registro de auditoria',
  },
  es: {
    profile: 'Perfil',
    ofCompany: 'Empresa',
    connections: 'Conexiones',
    company: 'Empresa',
    sending: 'Envío',
    consent: 'Consentimiento',
    assistants: 'Asistentes',
    users: 'Usuarios',
    keys: 'Clave de la API',
    webhooks: 'Webhooks',
    sources: 'Fuentes de leads',
    audit: 'Registro de auditoría',
  },
});

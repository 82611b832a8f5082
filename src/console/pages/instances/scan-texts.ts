import { defineTexts } from '../../i18n/language.js';

/** How a phone scans the code, in three steps, and what holds until then. */
export const scanTexts = defineTexts({
  en: {
    phone: 'Open WhatsApp on the phone that has the number',
    menu: 'Go to Settings, then Linked devices',
    point: 'Choose Link a device, and point it at the code',
    copyCode: 'Copy the code',
    notYet: 'Not connected yet: no message comes or goes.',
  },
  pt: {
    phone: 'Abra o WhatsApp no telefone que tem o número',
    menu: 'Vá em Configurações e depois em Aparelhos conectados',
    point: 'Escolha Conectar um aparelho e aponte para o código',
    copyCode: 'Copiar o código',
    notYet: 'Ainda sem conexão: nenhuma mensagem entra nem sai.',
  },
  es: {
    phone: 'Abra WhatsApp en el teléfono que tiene el número',
    menu: 'Vaya a Ajustes y luego a Dispositivos vinculados',
    point: 'Elija Vincular un dispositivo y apunte al código',
    copyCode: 'Copiar el código',
    notYet: 'Aún sin conexión: no entra ni sale ningún mensaje.',
  },
});

// Access to the tools of assistants: the tenant's permission, the calls, and the audit entries of refusals.

import type { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import { parseInput } from '../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { AuditService } from '../audit/audit.service.js';
import type { AssistantMode } from '../tenants/tenant.schema.js';
import type { TenantService } from '../tenants/tenant.service.js';
import type { AssistantReadingService } from './assistant-reading.service.js';
import type { AssistantReplyService } from './assistant-reply.service.js';
import { describeTool, toolsOf, type Tool, type ToolDescription } from './assistant-tools.js';

/** A user's assistant that the tenant permits. */
export interface AdmittedAssistant {
  user: UserPrincipal;
  mode: AssistantMode;
}

export interface AssistantOptions {
  database: Database;
  audit: AuditService;
  tenants: TenantService;
  reading: AssistantReadingService;
  replies: AssistantReplyService;
}

export class AssistantService {
  private readonly tools: ReadonlyMap<string, Tool>;

  constructor(private readonly options: AssistantOptions) {
    this.tools = toolsOf(options);
  }

  /** Admits the user's assistant. @throws AppError UNAUTHENTICATED without a user; FORBIDDEN where the tenant has assistants OFF */
  async admit(principal: Principal | undefined): Promise<AdmittedAssistant> {
    const user: UserPrincipal = { ...requireUser(principal), isAssistant: true };
    const mode = await this.options.tenants.findAssistantMode(user);
    if (mode === 'OFF')
      throw new AppError('FORBIDDEN', 'Assistants are off for this company: an ADMIN can turn them on in its settings');
    return { user, mode };
  }

  /** The tools that the tenant permits. */
  list({ mode }: AdmittedAssistant): ToolDescription[] {
    return [...this.tools]
      .filter(([, { needs }]) => permits(mode, needs))
      .map(([name, tool]) => describeTool(name, tool));
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  /**
   * Runs a tool, and records a refusal in the audit log.
   * @param name a tool that `has` knows
   * @throws AppError FORBIDDEN for a tool that the tenant does not permit; VALIDATION_FAILED for wrong fields; otherwise like the tool
   */
  async call({ user, mode }: AdmittedAssistant, name: string, input: unknown): Promise<object> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    try {
      if (!permits(mode, tool.needs))
        throw new AppError('FORBIDDEN', 'Assistants of this company may only read and draft: a person sends the reply');
      return await tool.run(user, parseInput(tool.schema, input));
    } catch (error) {
      if (error instanceof AppError && error.code !== 'UNAVAILABLE') await this.recordRefusal(user, name, error);
      throw error;
    }
  }

  private recordRefusal(user: UserPrincipal, name: string, { code }: AppError): Promise<void> {
    const { tenantId, userId: targetId } = user;
    const entry = { action: 'ASSISTANT_CALL_REFUSED', targetKind: 'USER', after: { tool: name, code } } as const;
    return this.options.audit.record(this.options.database, user, [{ tenantId, targetId, ...entry }]);
  }
}

function permits(mode: AssistantMode, needs: Tool['needs']): boolean {
  return mode === 'SEND' || mode === needs;
}

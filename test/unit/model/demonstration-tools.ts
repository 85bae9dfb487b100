import type { ToolSchema } from '../../../extension/boundary/tool-definition.ts';

/** Enough of the tool for plans that its name can be found. */
export const updatePlanSchema: ToolSchema = { name: 'update_plan', description: '', parameters: { type: 'object' } };

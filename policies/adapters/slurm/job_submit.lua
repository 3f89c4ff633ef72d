-- SPDX-License-Identifier: MIT
-- Holds every job as it is submitted and marks it for fauxfleet-slurm, which decides when and where it starts. Belongs beside
-- slurm.conf, which has to have JobSubmitPlugins=lua. Jobs that their user holds (sbatch --hold) are not marked: they are left
-- alone until the user releases them.
function slurm_job_submit(job_desc, part_list, submit_uid)
    if job_desc.priority ~= 0 then
        job_desc.priority = 0
        job_desc.admin_comment = "fauxfleet new"
    end
    return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
    return slurm.SUCCESS
end

return slurm.SUCCESS
